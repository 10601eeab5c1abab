"""Outside parties against the example server: the official Python SDK's client and the inspector.

    mcp_clients.py SERVER INSPECTOR

SERVER is the built example `mcp_server`, INSPECTOR the inspector's `mcp-inspector`. Whatever is missing or
differs ends this with an error.
"""

import asyncio
import json
import os
import subprocess
import sys

import mcp
from mcp.client.stdio import StdioServerParameters
from mcp.client.streamable_http import create_mcp_http_client, streamable_http_client

SERVER, INSPECTOR = sys.argv[1:]
TOKEN = "a-token-for-outside-parties"
OPEN = {"window": "driver", "action": "open"}


def check(holds, what):
    if not holds:
        raise SystemExit(f"not so: {what}")
    print(f"  {what}")


def value(result):
    return result.structured_content


async def never(*_):
    raise SystemExit("the server asked the client instead of the driver")


async def reads(client, where):
    names = {tool.name: tool for tool in (await client.list_tools()).tools}
    check("get_vehicle_status" in names and "control_door" not in names, f"{where}: what is allowed is listed, the rest is not")
    check(names["get_weather"].annotations.read_only_hint, f"{where}: the hints say what reads")
    weather = await client.call_tool("get_weather", {"location": "北京"})
    check(not weather.is_error and value(weather)["outcome"] == "ok", f"{where}: a reading tool answers")
    try:
        refused = await client.call_tool("control_door", {"door": "driver", "action": "open"})
        check(refused.is_error, f"{where}: a tool that is not allowed does not run")
    except mcp.MCPError as error:
        check("no tool" in str(error), f"{where}: a tool that is not allowed is not there")


async def python_stdio():
    server = StdioServerParameters(command=SERVER, args=["--allow", "control_window"])
    async with mcp.Client(server, elicitation_callback=never) as client:
        await reads(client, "Python SDK, stdio")
        waits = value(await client.call_tool("control_window", OPEN))
        check(waits["status"] == "waiting_for_a_person", "Python SDK, stdio: nobody is there to say yes")


class Car:
    """The example over HTTP, with the driver's lines on its standard input."""

    def __enter__(self):
        command = [SERVER, "--http", "127.0.0.1:0", "--allow", "control_window"]
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env={**os.environ, "CAR_MCP_TOKEN": TOKEN}
        )
        self.url = self.heard("[ready] ").split()[-1]
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()

    def heard(self, beginning):
        line = self.process.stdout.readline()
        check(line.startswith(beginning), f"the car says {line.strip()!r}")
        return line

    def say(self, text, answer):
        self.process.stdin.write(text + "\n")
        self.process.stdin.flush()
        return self.heard(answer)


async def python_http(car):
    stranger = streamable_http_client(car.url)
    try:
        async with mcp.Client(stranger) as client:
            await client.list_tools()
        raise SystemExit("a client without the token was let in")
    except Exception as error:  # noqa: BLE001: whatever the SDK makes of a 401
        print(f"  Python SDK, HTTP: without the token: {type(error).__name__}")
    headers = {"Authorization": f"Bearer {TOKEN}"}
    transport = streamable_http_client(car.url, http_client=create_mcp_http_client(headers=headers))
    async with mcp.Client(transport, elicitation_callback=never) as client:
        await reads(client, "Python SDK, HTTP")
        waits = value(await client.call_tool("control_window", OPEN))
        car.heard("[waits] ")
        check(waits["status"] == "waiting_for_a_person", "Python SDK, HTTP: the call waits for a person")
        status = value(await client.call_tool("car_call_status", {"id": waits["id"]}))
        check(status["status"] == "waiting_for_a_person", "Python SDK, HTTP: asking again changes nothing")
        car.say("", "[WAITING_INPUT] 车外的程序想要")
        car.say("好的", "[COMPLETED] ")
        status = value(await client.call_tool("car_call_status", {"id": waits["id"]}))
        check((status["status"], status["outcome"]) == ("ended", "ok"), "Python SDK, HTTP: the driver's yes ran it")


def inspect(*arguments):
    command = [INSPECTOR, "--cli", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    if done.returncode != 0:
        raise SystemExit(f"{command}: {done.stderr or done.stdout}")
    return json.loads(done.stdout)


def inspector(car):
    header = ["--transport", "http", "--header", f"Authorization: Bearer {TOKEN}"]
    for where, server in [("stdio", [SERVER]), ("HTTP", [car.url, *header])]:
        tools = {tool["name"] for tool in inspect(*server, "--method", "tools/list")["tools"]}
        check("get_vehicle_status" in tools and "control_door" not in tools, f"inspector, {where}: tools/list")
        call = ["--method", "tools/call", "--tool-name", "get_weather", "--tool-arg", "location=北京"]
        result = inspect(*server, *call)
        check(result["structuredContent"]["outcome"] == "ok", f"inspector, {where}: tools/call")


async def main():
    await python_stdio()
    with Car() as car:
        await python_http(car)
        inspector(car)


asyncio.run(main())
