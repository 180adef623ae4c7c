"""Work that other processes do ahead, for Python's threads share one processor."""

import multiprocessing
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import closing, suppress
from multiprocessing.connection import Connection
from typing import TypeVar

Task = TypeVar("Task")
Result = TypeVar("Result")


def map_in_processes(
    function: Callable[[Task], Iterable[Result]], tasks: Sequence[Task], processes: int
) -> Generator[Result, None, None]:
    """Yield all results of each task, in the order of the tasks; every process makes one while it waits.

    Processes end with the generator, and when this process is killed. Raise what the function raises, and
    `MemoryError` if one of them is killed, which is what Linux does where memory is short.
    """
    context = multiprocessing.get_context("spawn")
    receivers, started = list[Connection](), []
    try:
        for number in range(processes):
            receiver, sender = context.Pipe(duplex=False)
            with closing(sender):
                receivers.append(receiver)
                process = context.Process(target=_send, args=(sender, function, tasks[number::processes]))
                process.start()
                started.append(process)
        for number in range(len(tasks)):
            for result, error in iter(receivers[number % processes].recv, None):
                if error:
                    raise error
                yield result
    except EOFError:
        raise MemoryError from None
    finally:
        for receiver in receivers:
            receiver.close()
        for process in started:
            process.join()


def _send(sender: Connection, function: Callable[[Task], Iterable[Result]], tasks: Sequence[Task]) -> None:
    """Send each result, `None` behind those of a task, or the exception that ends the work.

    End also when nobody receives them.
    """
    with suppress(BrokenPipeError, ConnectionResetError, KeyboardInterrupt):
        try:
            for task in tasks:
                for result in function(task):
                    sender.send((result, None))
                sender.send(None)
        except Exception as error:
            sender.send((None, error))
