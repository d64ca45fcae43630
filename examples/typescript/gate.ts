// Asks belay before a tool runs. For a harness of your own; Node's own modules only.
//
//   import { judge } from "./gate.ts"
//   const verdict = judge("Bash", { command: "rm -rf build" }, { cwd: process.cwd() })
//   if (verdict.word === "allow") { ... }
//
// Whatever goes wrong (belay is missing, late, killed, says something odd) is a denial.

import { spawnSync } from "node:child_process"

export type Verdict = { word: "allow" | "ask" | "deny"; reason: string }
export type Place = { cwd: string; session?: string; headless?: boolean }

const DEADLINE_MS = 60_000
const WORDS: Record<number, Verdict["word"]> = { 0: "allow", 10: "ask", 20: "deny" }

export function judge(tool: string, input: object, place: Place): Verdict {
  const call = { tool, input, project_root: place.cwd, headless: true, ...place }
  const done = spawnSync("belay", ["hook", "generic"], {
    input: JSON.stringify(call),
    encoding: "utf8",
    timeout: DEADLINE_MS,
    killSignal: "SIGKILL",
  })
  try {
    if (done.error) throw done.error
    const said = JSON.parse(done.stdout)
    const word = WORDS[done.status ?? -1]
    if (word === undefined) throw new Error(`belay ended with ${done.status ?? done.signal}`)
    // belay is switched off or only observes.
    if (said.verdict === null) return { word: "allow", reason: "no opinion" }
    if (said.verdict !== word) throw new Error("belay contradicts itself")
    return { word, reason: String(said.reason) }
  } catch (error) {
    return { word: "deny", reason: `belay gave no answer: ${error}` }
  }
}
