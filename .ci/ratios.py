"""Runs benches/overhead under valgrind and holds incar's cost of a turn to gates, as ratios to the floor's.

A run of few conversations and one of many differ by what conversations cost: the start drops out. The counts hardly
change from run to run, so a gate stands a twentieth above what was reached (docs/benchmarks.md).
"""

import re
import statistics
import subprocess
import sys
import time

FEW, MANY = 20, 70
LAUNCHES = 20
# Script and transport; the most that incar may cost, as a multiple of the floor: instructions, heap blocks.
GATES = {
    ("single", "plain"): (1.07, 1.13),
    ("single", "stream"): (1.07, 1.19),
    ("clarify", "plain"): (1.31, 1.44),
    ("clarify", "stream"): (1.21, 1.47),
    ("loop5", "plain"): (1.24, 1.47),
    ("loop5", "stream"): (1.16, 1.46),
}


def run(command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}\n{done.stdout}{done.stderr}")
    return done.stdout, done.stderr


class Bench:
    def __init__(self, binary, url):
        self.binary, self.url = binary, url

    def command(self, client, script, transport, sessions):
        return [self.binary, client, script, transport, str(sessions), self.url]

    def counted(self, valgrind, pattern, *what):
        def count(sessions):
            _, told = run(["valgrind", *valgrind, *self.command(*what, sessions)])
            return int(re.search(pattern, told).group(1).replace(",", ""))

        return (count(MANY) - count(FEW)) / (MANY - FEW)

    def instructions(self, *what):
        return self.counted(["--tool=callgrind", "--callgrind-out-file=/dev/null"], r"Collected : ([\d,]+)", *what)

    def blocks(self, *what):
        return self.counted(["--tool=dhat", "--dhat-out-file=/dev/null"], r"Total: .* bytes in ([\d,]+) blocks", *what)

    def launches_us(self, *clients):
        """From the launch of the process to its first reply, median; the clients take turns."""

        def once(client):
            started = time.perf_counter()
            with subprocess.Popen(self.command(client, "single", "plain", 1), stdout=subprocess.PIPE) as process:
                process.stdout.readline()
                took = time.perf_counter() - started
            if process.returncode != 0:
                sys.exit(f"{client} failed")
            return took * 1e6

        rounds = [[once(client) for client in clients] for _ in range(LAUNCHES)]
        return [statistics.median(times) for times in zip(*rounds)]


def main(binary):
    service = subprocess.Popen([binary, "serve"], stdout=subprocess.PIPE, text=True)
    try:
        bench = Bench(binary, service.stdout.readline().strip())
        over = []

        def row(name, unit, floor, incar, gate):
            ratio = incar / floor
            held = f"{gate:.2f}" if gate else "-"
            print(f"{name:<16} {unit:<13} {floor:>10,.0f} {incar:>10,.0f} {ratio:>6.2f} {held:>6}", flush=True)
            if gate and ratio > gate:
                over.append(f"{name} {unit}: {ratio:.2f}, and at most {gate:.2f} is allowed")

        print(f"{'conversation':<16} {'':<13} {'floor':>10} {'incar':>10} {'ratio':>6} {'gate':>6}")
        for (script, transport), (instructions, blocks) in GATES.items():
            for unit, measure, gate in [
                ("instructions", bench.instructions, instructions),
                ("heap blocks", bench.blocks, blocks),
            ]:
                floor, incar = (measure(client, script, transport) for client in ("floor", "incar"))
                row(f"{script} {transport}", unit, floor, incar, gate)
        # Time, which depends on what else the machine does: told, and held to nothing.
        row("first reply", "us", *bench.launches_us("floor", "incar"), None)
    finally:
        service.terminate()
    if over:
        sys.exit("\n".join(["more than the gates allow:", *over]))


if __name__ == "__main__":
    main(*sys.argv[1:])
