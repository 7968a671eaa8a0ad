/** Everybody who works for one run: recorded when they start, missed when they die, sent home in reverse order. */
import type { Indexer } from '../indexer/service/indexer.ts'
import { type Child, describeExit } from './child.ts'
import type { ProcessRecord } from './processes.ts'

export type Member = {
  name: string
  pid: number
  stopSignal: 'SIGINT' | 'SIGTERM'
  stop: () => Promise<unknown>
  /** Resolves when the member ends unasked, with how it ended; never when it was told to stop. */
  lost: Promise<string>
}

export type Crew = {
  join: (member: Member) => void
  /** Runs `work`, unless a member is lost first: then it throws a sentence that says which, with its last words. */
  watch: <Result>(work: Promise<Result>) => Promise<Result>
  /** Stops whoever is there, the last to join first; from then on an end is no loss. */
  stopAll: () => Promise<void>
}

export function gatherCrew(record: ProcessRecord): Crew {
  const members: Member[] = []
  let stopping = false
  let reportLoss: (loss: Error) => void = () => {}
  const loss = new Promise<never>((_, reject) => {
    reportLoss = reject
  })
  loss.catch(() => {})
  return {
    join: (member) => {
      members.push(member)
      record.add(member.name, member.pid, member.stopSignal)
      void member.lost.then((how) => {
        if (!stopping) reportLoss(new Error(`the ${member.name} ${how}`))
      })
      // Too late: the end of the member makes whoever waits for it give up.
      if (stopping) void member.stop()
    },
    watch: (work) => Promise.race([loss, work]),
    stopAll: async () => {
      stopping = true
      for (let member = members.pop(); member; member = members.pop()) await member.stop()
    },
  }
}

export function childMember(name: string, child: Child, stopSignal: Member['stopSignal']): Member {
  const lost = new Promise<string>((resolve) => {
    void child.exited.then((exit) => {
      if (!child.isStopping()) resolve(describeExit(exit))
    })
  })
  return { name, pid: child.pid, stopSignal, stop: child.stop, lost }
}

export function indexerMember(indexer: Indexer): Member {
  let asked = false
  const stop = () => {
    asked = true
    return indexer.stop()
  }
  const lost = new Promise<string>((resolve) => {
    void indexer.exited.then(({ code, signal, errors }) => {
      if (!asked) resolve(describeExit({ code, signal, lastWords: errors }))
    })
  })
  return { name: 'indexer', pid: indexer.pid, stopSignal: 'SIGINT', stop, lost }
}
