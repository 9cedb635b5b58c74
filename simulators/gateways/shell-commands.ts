import type { FileSystem } from './file-system.ts'
import { logLine } from './file-system.ts'

/** What a shell command can see and do. */
type Surroundings = {
  args: string[]
  cwd: string
  files: FileSystem
  uptimeSeconds: number
  now: number
  moveTo: (folder: string) => void
  processes: () => { pid: number; cmd: string }[]
  kill: (pid: number) => boolean
}
/** Output of a command: all at once, or a line per interval until `next` returns undefined. */
export type Output =
  | { out?: string; err?: string; exitCode?: number }
  | { everyMs: number; next(count: number): string | undefined }

const denied = (name: string, what: string): Output => ({ err: `${name}: ${what}\n`, exitCode: 1 })

function reading(name: string, { args, cwd, files }: Surroundings, cut: (text: string) => string): Output {
  const path = args.find((one, at) => !one.startsWith('-') && args[at - 1] !== '-n')
  const found = path && files.find(cwd, path)
  const text = found && files.read(found)
  if (text === undefined || text === '') return denied(name, `${path ?? ''}: No such file or directory`)
  return { out: cut(text) }
}

function countOf(args: string[], usual: number): number {
  const at = args.findIndex((one) => one === '-n' || one === '-c')
  const count = at < 0 ? usual : Number(args[at + 1])
  return Number.isInteger(count) && count > 0 ? count : usual
}

const lines = (text: string) => text.split(/(?<=\n)/)

/** The commands a gateway executes; all others are refused. */
export const COMMANDS: Record<string, (around: Surroundings) => Output> = {
  df: () => ({
    out:
      'Filesystem           1K-blocks      Used Available Use% Mounted on\n' +
      '/dev/root              7340032   2516582   4823450  34% /\n' +
      'tmpfs                   254812      1180    253632   0% /tmp\n',
  }),
  free: () => ({
    out:
      '              total        used        free      shared  buff/cache   available\n' +
      'Mem:         509624      131072      301248        1180       77304      361420\n' +
      'Swap:             0           0           0\n',
  }),
  uptime({ uptimeSeconds }) {
    const minutes = String(Math.floor(uptimeSeconds / 60) % 60).padStart(2, '0')
    return { out: ` up ${Math.floor(uptimeSeconds / 3_600)}:${minutes}, load average: 0.12, 0.08, 0.05\n` }
  },
  ip: () => ({
    out: '1: lo: <LOOPBACK,UP>\n    inet 127.0.0.1/8\n2: eth0: <BROADCAST,UP>\n    inet 192.168.8.1/24\n',
  }),
  ps: ({ processes }) => ({
    out: `  PID CMD\n    1 /sbin/procd\n  812 /usr/sbin/gatewayd\n${processes()
      .map(({ pid, cmd }) => `${String(pid).padStart(5)} ${cmd}\n`)
      .join('')}`,
  }),
  ls({ args, cwd, files }) {
    const path = args.find((one) => !one.startsWith('-')) ?? '.'
    const found = files.find(cwd, path)
    if (!found) return denied('ls', `${path}: No such file or directory`)
    return {
      out: files.isFolder(found)
        ? files
            .list(found)
            .map((one) => `${one}\n`)
            .join('')
        : `${path}\n`,
    }
  },
  cat: (around) => reading('cat', around, (text) => text),
  head: (around) => reading('head', around, (text) => lines(text).slice(0, countOf(around.args, 10)).join('')),
  tail: (around) => reading('tail', around, (text) => lines(text).slice(-countOf(around.args, 10)).join('')),
  cd({ args, cwd, files, moveTo }) {
    const found = files.find(cwd, args[0] ?? '/root')
    if (!found || !files.isFolder(found)) return denied('cd', `can't cd to ${args[0]}`)
    moveTo(found)
    return {}
  },
  pwd: ({ cwd }) => ({ out: `${cwd}\n` }),
  date: ({ now }) => ({ out: `${new Date(now).toUTCString()}\n` }),
  uname: () => ({ out: 'Linux shop-gateway 5.15.150 mips GNU/Linux\n' }),
  hostname: () => ({ out: 'shop-gateway\n' }),
  id: () => ({ out: 'uid=1000(gateway) gid=1000(gateway)\n' }),
  logread: ({ args }) =>
    args.includes('-f')
      ? { everyMs: 1_000, next: logLine }
      : { out: Array.from({ length: countOf(args, 20) }, (_, at) => logLine(at)).join('') },
  ping({ args }) {
    const host = args.find((one, at) => !one.startsWith('-') && args[at - 1] !== '-c')
    if (!host) return denied('ping', 'bad address')
    const count = args.includes('-c') ? countOf(args, 4) : Infinity
    return {
      everyMs: 1_000,
      next: (at) => (at < count ? `64 bytes from ${host}: seq=${at} ttl=64 time=1.2 ms\n` : undefined),
    }
  },
  sleep: ({ args }) => ({ everyMs: (Number(args[0]) || 0) * 1_000, next: (at) => (at ? undefined : '') }),
  yes: ({ args }) => ({ everyMs: 100, next: () => `${args[0] ?? 'y'}\n`.repeat(4_000) }),
  kill({ args, kill }) {
    const pid = Number(args.at(-1))
    return kill(pid) ? {} : denied('kill', `can't kill pid ${args.at(-1)}: No such process`)
  },
}
