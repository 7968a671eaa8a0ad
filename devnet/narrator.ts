/** Says what happens while the devnet starts: one line per step, with how long it took. */
export type Narrator = {
  /** Runs the step; its line appears when it is done. `detail` says in a few words what came out. */
  step: <Result>(
    name: string,
    work: (progress: (text: string) => void) => Promise<Result>,
    detail: (result: Result) => string,
  ) => Promise<Result>
  say: (text: string) => void
  /** Seconds since the narrator was made, to a tenth. */
  seconds: () => string
}

/** @param out where lines go; on a terminal a step under way shows its progress on the last line */
export function createNarrator(out: NodeJS.WriteStream, now: () => number): Narrator {
  const beganAt = now()
  const since = (moment: number) => ((now() - moment) / 1000).toFixed(1)
  const say = (text: string) => void out.write(`${text}\n`)
  const draft = (text: string) => {
    if (out.isTTY) out.write(`\r\x1b[2K${text}`)
  }
  return {
    say,
    seconds: () => since(beganAt),
    step: async (name, work, detail) => {
      const label = name.padEnd(12)
      const startedAt = now()
      draft(`  … ${label}`)
      const result = await work((text) => draft(`  … ${label} ${text}`))
      draft('')
      say(`  ✓ ${label}${since(startedAt).padStart(5)} s  ${detail(result)}`)
      return result
    },
  }
}
