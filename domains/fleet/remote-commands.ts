import { sql, type Db } from '#kit/server/database/db.ts'
import { maskText } from '#kit/server/security/mask.ts'
import { defineCommand, type Command } from '#domains/gateways/doors.ts'

export const shellOpen = defineCommand<{ sid: string }>({
  method: 'shell.open',
  label: { zh: '打开远程会话', en: 'Open a remote session' },
  takenMs: 5_000,
  doneMs: 10_000,
  offline: 'refuse',
  lane: () => 'shell',
})

export const shellClose = defineCommand<{ sid: string }>({
  method: 'shell.close',
  label: { zh: '结束远程会话', en: 'Close a remote session' },
  takenMs: 5_000,
  doneMs: 10_000,
  offline: 'refuse',
})

type Exec = { sid: string; seq: number; cmd: string; timeoutMs: number }
export const EXEC_SECONDS_MAX = 60

const endings: ((db: Db, command: Command) => Promise<void>)[] = []
export const onExecEnd = (ended: (typeof endings)[number]): void => void endings.push(ended)

export const shellExec = defineCommand<Exec>({
  method: 'shell.exec',
  label: { zh: '远程命令', en: 'Remote command' },
  says: ({ cmd }) => ({ zh: `执行 ${maskText(cmd)}`, en: `Run ${maskText(cmd)}` }),
  takenMs: 3_000,
  // A moment longer than the device has for it.
  doneMs: EXEC_SECONDS_MAX * 1_000 + 5_000,
  lifeMs: 6_000,
  offline: 'refuse',
  ended: async (db, command) => {
    // The device needed the secret; whoever reads the command afterwards does not.
    const { cmd } = command.params as Exec
    await db.run(sql`update device_command set params = jsonb_set(params, '{cmd}', to_jsonb(${maskText(cmd)}::text))
      where tenant_id = ${db.tenantId} and id = ${command.id}`)
    for (const ended of endings) await ended(db, command)
  },
})

/** What may be typed without the right to any command: looking, never changing. */
const ALLOWED: readonly string[] = [
  'cat',
  'cd',
  'date',
  'df',
  'dmesg',
  'free',
  'hostname',
  'id',
  'ifconfig',
  'ip',
  'logread',
  'ls',
  'netstat',
  'ping',
  'ps',
  'pwd',
  'tail',
  'top',
  'traceroute',
  'uname',
  'uptime',
  'whoami',
]

/** One command of the list, with nothing a shell would make more of. */
export const isAllowed = (cmd: string): boolean =>
  !/[;|&<>$`\\(){}\n\r]/.test(cmd) && ALLOWED.includes(cmd.trim().split(/\s+/)[0]!)
