import pino from 'pino'
import type { DestinationStream, Logger } from 'pino'
import { maskForLog, maskSecretsInText } from './mask.ts'
import { currentTrace } from './trace.ts'

type Log = Logger

type Options = { level?: string; format?: 'terminal' | 'json'; destination?: DestinationStream; colour?: boolean }

const levelNames: Record<number, [name: string, colour: number]> = {
  10: ['trace', 90],
  20: ['debug', 90],
  30: ['info', 36],
  40: ['warn', 33],
  50: ['error', 31],
  60: ['fatal', 35],
}
const ownFields = new Set(['level', 'time', 'pid', 'hostname', 'msg', 'err'])

/** The server's log: JSON lines for machines, one readable line on a terminal; secrets are masked in both. */
export function createLog(options: Options = {}): Log {
  const { level = 'info', format = process.stdout.isTTY ? 'terminal' : 'json', colour = process.stdout.isTTY } = options
  const destination = options.destination ?? standardOutput()
  const settings: pino.LoggerOptions = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { log: ({ err, ...fields }) => ({ ...maskForLog(fields), ...(err === undefined ? {} : { err }) }) },
    serializers: { err: errorOf },
    mixin: () => {
      const trace = currentTrace()
      return trace ? { traceId: trace.id } : {}
    },
  }
  if (format === 'json') return pino(settings, destination)
  return pino(settings, { write: (line) => destination.write(terminalLine(JSON.parse(line), Boolean(colour))) })
}

/**
 * Writes to standard output and ignores write errors (reader gone, disk full), so that logging never stops the work.
 */
function standardOutput(): DestinationStream {
  const output = pino.destination({ dest: 1, sync: true })
  output.on('error', () => {})
  return output
}

function errorOf(err: unknown) {
  if (!(err instanceof Error)) return maskForLog(err)
  const { type, message, stack, code } = pino.stdSerializers.err(err) as Record<string, any>
  return { type, message: maskSecretsInText(message), ...(code ? { code } : {}), stack: maskSecretsInText(stack ?? '') }
}

function terminalLine(entry: Record<string, any>, colour: boolean): string {
  const paint = (code: number, text: string) => (colour ? `\x1b[${code}m${text}\x1b[0m` : text)
  const [name, code] = levelNames[entry.level] ?? ['log', 0]
  const time = new Date(entry.time).toLocaleTimeString('sv-SE', { timeZone: 'Asia/Shanghai' })
  const fields = Object.entries(entry).filter(([key]) => !ownFields.has(key))
  const details = fields.map(([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
  const trouble = entry.err ? `\n${paint(90, entry.err.stack || `${entry.err.type}: ${entry.err.message}`)}` : ''
  const parts = [paint(90, time), paint(code, name.padEnd(5)), entry.msg ?? '', paint(90, details.join(' '))]
  return `${parts.join(' ').trimEnd()}${trouble}\n`
}
