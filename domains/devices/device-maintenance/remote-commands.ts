import { sql, type Db } from '#kit/server/database/db.ts'
import { maskSecretsInText } from '#kit/server/base/mask.ts'
import { defineCommand, type DeviceCommand } from '#domains/devices/device-messaging/api.ts'

export const shellOpenCommand = defineCommand<{ sid: string }>({
  method: 'shell.open',
  label: { zh: '打开远程会话', en: 'Open remote session' },
  ackTimeoutMs: 5_000,
  completionTimeoutMs: 10_000,
  offline: 'refuse',
  lane: () => 'shell',
})

export const shellCloseCommand = defineCommand<{ sid: string }>({
  method: 'shell.close',
  label: { zh: '结束远程会话', en: 'End remote session' },
  ackTimeoutMs: 5_000,
  completionTimeoutMs: 10_000,
  offline: 'refuse',
})

type Exec = { sid: string; seq: number; cmd: string; timeoutMs: number }
export const SHELL_EXEC_SECONDS_MAX = 60

const endings: ((db: Db, command: DeviceCommand) => Promise<void>)[] = []
export const onShellExecEnd = (ended: (typeof endings)[number]): void => void endings.push(ended)

export const shellExecCommand = defineCommand<Exec>({
  method: 'shell.exec',
  label: { zh: '远程命令', en: 'Remote command' },
  auditParams: (params) => ({ ...params, cmd: maskSecretsInText(params.cmd) }),
  summary: ({ cmd }) => ({ zh: `执行 ${maskSecretsInText(cmd)}`, en: `Run ${maskSecretsInText(cmd)}` }),
  ackTimeoutMs: 3_000,
  // Longer than the device itself allows the command to run.
  completionTimeoutMs: SHELL_EXEC_SECONDS_MAX * 1_000 + 5_000,
  lifeMs: 6_000,
  offline: 'refuse',
  ended: async (db, command) => {
    // Masks secrets in the stored command once it has ended: only the device needed them.
    const { cmd } = command.params as Exec
    await db.run(sql`update device_command set params = jsonb_set(params, '{cmd}',
      to_jsonb(${maskSecretsInText(cmd)}::text))
      where tenant_id = ${db.tenantId} and id = ${command.id}`)
    for (const ended of endings) await ended(db, command)
  },
})

type Words = readonly string[]
const anything = () => true
const only =
  (...allowed: string[]) =>
  (words: Words) =>
    words.every((word) => allowed.includes(word))
/** Allows only these switches, each with a number after it. Words that are not switches are allowed. */
const numbered =
  (...switches: string[]) =>
  (words: Words) =>
    words.every(
      (word, at) => !word.startsWith('-') || (switches.includes(word) && /^\d{1,3}$/.test(words[at + 1] ?? '')),
    )

const IP_SWITCHES = ['-4', '-6', '-br', '-d', '-o', '-s']
const IP_OBJECTS = ['a', 'addr', 'address', 'l', 'link', 'n', 'neigh', 'neighbour', 'r', 'route', 'ru', 'rule']

/** Allows only the showing subcommands of `ip`. */
function showsNetwork(words: Words): boolean {
  const [object, verb = 'show'] = words.filter((word) => !word.startsWith('-'))
  const switches = words.filter((word) => word.startsWith('-'))
  return only(...IP_SWITCHES)(switches) && IP_OBJECTS.includes(object!) && ['show', 'list', 'ls'].includes(verb)
}

/**
 * Commands that may be typed without the permission for any command, with a check of their arguments. They read and
 * change nothing.
 */
const ALLOWED = new Map<string, (words: Words) => boolean>([
  ['cat', anything],
  ['cd', anything],
  ['date', (words) => words.every((word) => word === '-u' || word.startsWith('+'))],
  ['df', anything],
  ['dmesg', only('-T', '-r', '-t')],
  ['free', anything],
  ['hostname', only('-f', '-i', '-s')],
  ['id', anything],
  ['ifconfig', (words) => words.length <= 1],
  ['ip', showsNetwork],
  ['logread', numbered('-l')],
  ['ls', anything],
  ['netstat', anything],
  ['ping', numbered('-c', '-w', '-W')],
  ['ps', anything],
  ['pwd', anything],
  ['tail', anything],
  ['top', anything],
  ['traceroute', anything],
  ['uname', anything],
  ['uptime', anything],
  ['whoami', anything],
])

/** Returns whether `cmd` is a single allowed command without shell syntax. */
export function isAllowedShellCommand(cmd: string): boolean {
  const [name = '', ...words] = cmd.trim().split(/\s+/)
  const rule = ALLOWED.get(name)
  if (!rule || /[;|&<>$`\\(){}\n\r]/.test(cmd)) return false
  // Where arguments are checked, nothing may expand to others: no globs, quotes or history.
  return rule === anything || (!/[*?[\]~'"#!]/.test(cmd) && rule(words))
}

const COMMANDING = /[;|&<>$`\\(){}]/g
const countOf = (text: string) => text.match(COMMANDING)?.length ?? 0

/**
 * Returns whether the log would not show all that a command does: it has invisible characters, or masking secrets hides
 * shell syntax too, as in `pwd="" ;reboot`.
 */
export const isPartlyMaskedInLog = (cmd: string): boolean =>
  /[^\P{Cc}\t]|\p{Cf}/u.test(cmd) || countOf(maskSecretsInText(cmd)) < countOf(cmd)
