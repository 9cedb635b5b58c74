/**
 * How the service behaves. `hostile`, `huge`, `malformed`, `unread` and `nodeFails` change a run's outcome, the others
 * its calls or stream.
 */
export type Mood =
  | 'well'
  | 'away'
  | 'deaf'
  | 'limited'
  | 'quota'
  | 'broken'
  | 'noModel'
  | 'noStream'
  | 'cut'
  | 'cutForGood'
  | 'silent'
  | 'errorInStream'
  | 'nodeFails'
  | 'malformed'
  | 'unread'
  | 'hostile'
  | 'huge'
  | 'pauses'

type SimulatedApp = { name: string; kind: 'shelf' | 'camera' | 'text' }
type SimulatedFile = { id: string; key: string; user: string; bytes: Buffer; extension: string }
type Status = 'running' | 'succeeded' | 'failed' | 'stopped' | 'partial-succeeded' | 'paused'

export type SimulatedRun = {
  id: string
  taskId: string
  key: string
  user: string
  inputs: Record<string, any>
  picture: Buffer | undefined
  status: Status
  outputs: unknown
  error: string | null
  tokens: number
  steps: number
  isStopped: boolean
  /** The run is lost: queries answer that it does not exist. */
  isForgotten: boolean
  say: (event: object | string) => void
  end: () => void
  stop: () => void
  /** Sends the events so far and then each new one. Returns how to stop listening. */
  listen: (say: (text: string) => void, end: () => void) => () => void
  facts: () => Record<string, unknown>
}

export type DifyWorld = {
  apps: Map<string, SimulatedApp>
  runs: Map<string, SimulatedRun>
  files: Map<string, SimulatedFile>
  /** The calls received, newest last. */
  asked: string[]
  mood: Mood
  /** While true, runs wait at their second step. */
  isHeld: boolean
  nodeMs: number
  pingMs: number
  lateMs: number
  /** Tokens that the model's step reports as used. */
  tokens: number
  isClosed: boolean
}

export const createWorld = (nodeMs: number): DifyWorld => ({
  apps: new Map(),
  runs: new Map(),
  files: new Map(),
  asked: [],
  mood: 'well',
  isHeld: false,
  nodeMs,
  pingMs: 10_000,
  lateMs: 0,
  tokens: 900,
  isClosed: false,
})

const RUNS_KEPT = 500

export function newRun(
  world: DifyWorld,
  { key, user, inputs, picture }: Pick<SimulatedRun, 'key' | 'user' | 'inputs' | 'picture'>,
): SimulatedRun {
  const events: string[] = []
  const listeners = new Map<object, { say: (text: string) => void; end: () => void }>()
  const [started, ended] = [Date.now(), { at: 0 }]
  const run: SimulatedRun = {
    id: crypto.randomUUID(),
    taskId: crypto.randomUUID(),
    key,
    user,
    inputs,
    picture,
    status: 'running',
    outputs: null,
    error: null,
    tokens: 0,
    steps: 0,
    isStopped: false,
    isForgotten: false,
    say(event) {
      const text = typeof event === 'string' ? event : `data: ${JSON.stringify(event)}\n\n`
      events.push(text)
      for (const one of listeners.values()) one.say(text)
    },
    end() {
      ended.at = Date.now()
      for (const one of listeners.values()) one.end()
      listeners.clear()
    },
    stop: () => void (run.isStopped = true),
    listen(say, end) {
      for (const text of events) say(text)
      if (ended.at) end()
      const me = {}
      listeners.set(me, { say, end })
      return () => void listeners.delete(me)
    },
    facts: () => ({
      id: run.id,
      workflow_id: 'simulated',
      status: run.status,
      outputs: run.outputs,
      error: run.error,
      elapsed_time: ((ended.at || Date.now()) - started) / 1000,
      total_tokens: run.tokens,
      total_steps: run.steps,
      created_at: Math.floor(started / 1000),
      finished_at: ended.at ? Math.floor(ended.at / 1000) : null,
      exceptions_count: 0,
    }),
  }

  world.runs.set(run.id, run)
  if (world.runs.size > RUNS_KEPT) world.runs.delete(world.runs.keys().next().value!)
  return run
}
