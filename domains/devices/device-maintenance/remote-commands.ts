import { sql, type Db } from '#kit/server/database/db.ts'
import { maskSecretsInText } from '#kit/server/security/mask.ts'
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
  // A moment longer than the device has for it.
  completionTimeoutMs: SHELL_EXEC_SECONDS_MAX * 1_000 + 5_000,
  lifeMs: 6_000,
  offline: 'refuse',
  ended: async (db, command) => {
    // The device needed the secret; whoever reads the command afterwards does not.
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
/** What begins a switch may come with a number; what is none names something. */
const numbered =
  (...switches: string[]) =>
  (words: Words) =>
    words.every(
      (word, at) => !word.startsWith('-') || (switches.includes(word) && /^\d{1,3}$/.test(words[at + 1] ?? '')),
    )

const IP_SWITCHES = ['-4', '-6', '-br', '-d', '-o', '-s']
const IP_OBJECTS = ['a', 'addr', 'address', 'l', 'link', 'n', 'neigh', 'neighbour', 'r', 'route', 'ru', 'rule']

/** Of what `ip` can do, showing. */
function showsNetwork(words: Words): boolean {
  const [object, verb = 'show'] = words.filter((word) => !word.startsWith('-'))
  const switches = words.filter((word) => word.startsWith('-'))
  return only(...IP_SWITCHES)(switches) && IP_OBJECTS.includes(object!) && ['show', 'list', 'ls'].includes(verb)
}

/** What may be typed without the right to any command, with what behind it: looking, never changing. */
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

/** One command of the list, with nothing a shell would make more of. */
export function isAllowedShellCommand(cmd: string): boolean {
  const [name = '', ...words] = cmd.trim().split(/\s+/)
  const rule = ALLOWED.get(name)
  if (!rule || /[;|&<>$`\\(){}\n\r]/.test(cmd)) return false
  // Where words count, none may become others: names of files, or what stands in quotes.
  return rule === anything || (!/[*?[\]~'"#!]/.test(cmd) && rule(words))
}

const COMMANDING = /[;|&<>$`\\(){}]/g
const countOf = (text: string) => text.match(COMMANDING)?.length ?? 0

/** Whether the log, which masks secrets, would keep to itself what else a command does: `pwd="" ;reboot`. */
export const isPartlyMaskedInLog = (cmd: string): boolean =>
  /[^\P{Cc}\t]|\p{Cf}/u.test(cmd) || countOf(maskSecretsInText(cmd)) < countOf(cmd)
