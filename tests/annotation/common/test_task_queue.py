"""Messages to Celery workers."""

from celery import shared_task

from annotation.common.task_queue import once_in


def test_of_beats_messages_that_waited_together_one_does_the_work() -> None:
    done = []

    @shared_task(name="tests.look")
    @once_in(60)
    def look() -> None:
        done.append("looked")

    look.apply()
    look.apply()
    assert len(done) == 1
    # A call in this process is no message.
    look()
    assert len(done) == 2
