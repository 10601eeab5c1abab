"""What KUKSA's own client sees of incar's broker, step by step for the test that drives it.

    client.py HOST:PORT [--ca FILE] [--token TOKEN] STEP [ARGUMENT]...

Prints JSON lines. Steps:
    get PATH...             the current values, by path
    watch PATH VALUE        the values as they change, until one is VALUE
    publish PATH VALUE      puts a current value
    target PATH VALUE       sends an actuator to a value
    provide PATH            serves an actuator: each command is printed and published
    errors                  the errors that wrong commands get
"""

import argparse
import json
import pathlib

from kuksa_client.grpc import Datapoint, VSSClient, VSSClientError

WINDOW = "Vehicle.Cabin.Door.Row1.DriverSide.Window.Position"


def say(value):
    print(json.dumps(value), flush=True)


def get(client, *paths):
    say({path: point.value for path, point in client.get_current_values(paths).items()})


def watch(client, path, wanted):
    for update in client.subscribe_current_values([path]):
        value = update[path].value
        say(value)
        if str(value) == wanted:
            return


def publish(client, path, value):
    client.set_current_values({path: Datapoint(value)})
    say("published")


def target(client, path, value):
    client.set_target_values({path: Datapoint(value)})
    say("accepted")


def provide(client, path):
    say("providing")
    for update in client.subscribe_target_values([path]):
        value = update[path].value
        say(value)
        client.set_current_values({path: Datapoint(value)})


def errors(client):
    for path, value in [
        ("Vehicle.Wings.Position", 1),
        (WINDOW, 250),
        ("Vehicle.Speed", 50),
        ("Vehicle.Incar.DriveMode", "FLY"),
    ]:
        try:
            client.set_target_values({path: Datapoint(value)})
            say("accepted")
        except VSSClientError as error:
            say(error.error["code"])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("server")
    parser.add_argument("--ca", type=pathlib.Path)
    parser.add_argument("--token")
    parser.add_argument("step")
    parser.add_argument("arguments", nargs="*")
    args = parser.parse_args()
    host, port = args.server.rsplit(":", 1)
    steps = {step.__name__: step for step in (get, watch, publish, target, provide, errors)}
    with VSSClient(host, int(port), token=args.token, root_certificates=args.ca) as client:
        steps[args.step](client, *args.arguments)


main()
