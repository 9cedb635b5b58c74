import { fileSystem } from './file-system.ts'
import { BAD_PARAMETERS, BUSY, DONE, NOT_ALLOWED, NOT_FOUND } from './protocol.ts'
import type { Answer, Body, DevicePayload, Method } from './protocol.ts'
import { COMMANDS, type Output } from './shell-commands.ts'

type Session = { sid: string; cwd: string; running: Map<number, Running> }
type Running = { pid: number; cmd: string; stop(exitCode: number): void }
type End = (answer: Answer) => void

const SESSIONS_MAX = 4
const RUNNING_MAX = 4
const COMMAND_MAX = 4_096
const TIMEOUT_MAX = 60_000
const CHUNK = 16_384
const TIMED_OUT = 124
const KILLED = 137

/** Splits a command line into words. Quotes keep spaces together; other shell syntax is not supported. */
const wordsOf = (cmd: string) =>
  [...cmd.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map((one) => one[1] ?? one[2] ?? one[3]!)

/** Sends a command's output in pieces that fit into a message. */
function createPipe(body: Body, sid: string, seq: unknown) {
  let n = 0
  const write = (stream: 'out' | 'err', text: string) => {
    const bytes = Buffer.from(text)
    for (let at = 0; at < bytes.length; at += CHUNK)
      body.event('shell.out', {
        sid,
        seq,
        n: n++,
        stream,
        data: bytes.subarray(at, at + CHUNK).toString('base64'),
      })
  }
  return { write, eof: () => body.event('shell.out', { sid, seq, n: n++, stream: 'out', data: '', eof: true }) }
}

function isCommandLine(cmd: unknown): cmd is string {
  return typeof cmd === 'string' && cmd.trim() !== '' && cmd.length <= COMMAND_MAX && !/[\r\n]/.test(cmd)
}

/** Whether a line is a listed command without characters that mean something to a shell. */
const isAllowed = (cmd: string) => !/[;|&<>$`\\(){}*?]/.test(cmd) && Object.hasOwn(COMMANDS, wordsOf(cmd)[0]!)

type Machine = { processes: () => Running[]; uptimeSeconds: number; now: number }

function outputOf(session: Session, cmd: string, { processes, uptimeSeconds, now }: Machine): Output {
  const [name, ...args] = wordsOf(cmd)
  return COMMANDS[name!]!({
    args,
    cwd: session.cwd,
    files: fileSystem,
    uptimeSeconds,
    now,
    moveTo: (folder) => void (session.cwd = folder),
    processes,
    kill(pid) {
      const one = processes().find((other) => other.pid === pid)
      one?.stop(KILLED)
      return one !== undefined
    },
  })
}

type Run = {
  session: Session
  pid: number
  cmd: string
  seq: unknown
  timeoutMs: number
  output: () => Output
}

/** Runs a command until it ends, is killed or times out. */
function run(body: Body, { session, pid, cmd, seq, timeoutMs, output }: Run, end: End): void {
  const pipe = createPipe(body, session.sid, seq)
  const stops: (() => void)[] = []
  const stop = (exitCode: number) => {
    if (!session.running.delete(pid)) return
    for (const one of stops.splice(0)) one()
    pipe.eof()
    body.act('shell.ran', { sid: session.sid, cmd, exitCode })
    end({ code: DONE, data: { exitCode } })
  }
  session.running.set(pid, { pid, cmd, stop })
  const result = output()
  if ('everyMs' in result) {
    let count = 0
    const tick = () => {
      const text = result.next(count++)
      if (text === undefined) return stop(0)
      pipe.write('out', text)
      stops[0] = body.clock.after(result.everyMs, tick)
    }
    stops.push(
      () => {},
      body.clock.after(timeoutMs, () => stop(TIMED_OUT)),
    )
    return tick()
  }
  pipe.write('out', result.out ?? '')
  pipe.write('err', result.err ?? '')
  stop(result.exitCode ?? 0)
}

/** Simulates a remote shell session on an invented file system, with the commands of the allow-list. */
export function createShell(body: Body, uptimeSeconds: () => number) {
  const sessions = new Map<string, Session>()
  let lastPid = 2_000

  const processes = () => [...sessions.values()].flatMap(({ running }) => [...running.values()])

  function close(sid: string): void {
    for (const one of sessions.get(sid)?.running.values() ?? []) one.stop(KILLED)
    sessions.delete(sid)
  }

  const exec = ({ sid, seq, cmd, timeoutMs = TIMEOUT_MAX }: DevicePayload): ReturnType<Method> => {
    const session = sessions.get(sid as string)
    if (!session) return { code: NOT_FOUND, msg: 'no such session' }
    if (!isCommandLine(cmd) || typeof timeoutMs !== 'number' || timeoutMs <= 0) return { code: BAD_PARAMETERS }
    if (!isAllowed(cmd)) return { code: NOT_ALLOWED, msg: 'not on the list of allowed commands' }
    if (session.running.size >= RUNNING_MAX) return { code: BUSY }
    const output = () => outputOf(session, cmd, { processes, uptimeSeconds: uptimeSeconds(), now: body.ownTime() })
    return (end) =>
      run(body, { session, pid: ++lastPid, cmd, seq, timeoutMs: Math.min(timeoutMs, TIMEOUT_MAX), output }, end)
  }

  return {
    /** A power cut ends all sessions. */
    powerCut: () => sessions.clear(),
    methods: {
      'shell.open': ({ sid }) => {
        if (typeof sid !== 'string' || !sid) return { code: BAD_PARAMETERS }
        if (!sessions.has(sid) && sessions.size >= SESSIONS_MAX) return { code: BUSY }
        return (end) => {
          sessions.set(sid, sessions.get(sid) ?? { sid, cwd: '/root', running: new Map() })
          body.act('shell.opened', { sid })
          end({ code: DONE, data: { shell: 'ash', cwd: '/root' } })
        }
      },
      'shell.exec': exec,
      'shell.close':
        ({ sid }) =>
        (end) => {
          close(sid as string)
          body.act('shell.closed', { sid })
          end({ code: DONE })
        },
    } satisfies Record<string, Method>,
  }
}
