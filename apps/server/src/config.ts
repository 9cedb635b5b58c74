import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { connectionUrlsPerHost } from '#kit/server/database/connections.ts'
import type { Config } from '#kit/server/module/services.ts'
import type { WorkerContext } from './worker-role.ts'
import { paceOf, PACES } from '#simulators/registers/pace.ts'

export type StartConfig = Omit<Config, 'databaseUrl'> & {
  databaseUrl?: string
  generalPerMinute: number
  /** This process's place among the worker processes of the machine; undefined when it is the only one. */
  seat?: WorkerContext
}

const USAGE = `Usage: npm start -- [--story demo|empty]
Environment: PORT (8080), HOST (localhost), DATA_DIR (./data), DATABASE_URL, REDIS_URL, MQTT_URL, S3_ENDPOINT…,
  PUBLIC_URL, CORS_ORIGINS, TRUST_PROXY, WORKERS, METRICS_PORT`

const NETWORKS = new Set(['loopback', 'linklocal', 'uniquelocal'])

const isNetwork = (text: string): boolean => {
  const [address = '', prefix, ...rest] = text.split('/')
  const bits = { 0: -1, 4: 32, 6: 128 }[isIP(address)]!
  return (
    NETWORKS.has(text) ||
    (bits > 0 && !rest.length && (prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= bits)))
  )
}

/**
 * Parses TRUST_PROXY, whose X-Forwarded-For entries are believed: a number of proxies counted from this server, or a
 * list of addresses and networks. `true` means one proxy in the private network. Entries a client adds itself are
 * further left and never read. Returns undefined when the text is not valid.
 */
function proxiesOf(text: string): Config['trustProxy'] | undefined {
  const value = text.trim().toLowerCase()
  if (value === '' || value === 'false' || value === '0') return false
  if (value === 'true') return true
  if (/^[1-9]$/.test(value)) return Number(value)
  const proxies = value.split(/[\s,]+/).filter(Boolean)
  return proxies.every(isNetwork) ? proxies : undefined
}

/** Variables of the environment that are whole numbers: default and range. */
const NUMBERS = {
  PORT: { unless: 8080, min: 0, max: 65_535 },
  MQTT_PORT: { unless: 0, min: 0, max: 65_535 },
  /** 0: no TLS listener; likewise for `MQTT_WS_PORT`. */
  MQTT_TLS_PORT: { unless: 0, min: 0, max: 65_535 },
  MQTT_WS_PORT: { unless: 0, min: 0, max: 65_535 },
  DB_POOL: { unless: 16, min: 2, max: 500 },
  RATE_LIMIT: { unless: 6000, min: 0, max: 1_000_000_000 },
  DRAIN: { unless: 0, min: 0, max: 300 },
  JOB_LEASE: { unless: 20, min: 1, max: 3600 },
  /** 0: chosen by the machine's cores and memory. */
  WORKERS: { unless: 0, min: 0, max: 64 },
  /** 0: metrics are not served. */
  METRICS_PORT: { unless: 0, min: 0, max: 65_535 },
  /** 0: slow statements are not logged. */
  SLOW_STATEMENT_MS: { unless: 1000, min: 0, max: 60_000 },
} as const

/**
 * Default sales pace of the simulation: fast enough to watch, slow enough that the stock lasts and a day resembles the
 * days before.
 */
export const DEFAULT_SIMULATION_PACE = '2/min'

const isUrl =
  (...schemes: string[]) =>
  (text: string) =>
    URL.canParse(text) && schemes.includes(new URL(text).protocol.slice(0, -1))
const mqtt = { is: isUrl('mqtt', 'mqtts', 'ws', 'wss'), must: 'an address that begins with mqtt://' }
const http = { is: isUrl('http', 'https'), must: 'an address that begins with http:// or https://' }
const oneOf = (...words: string[]) => ({
  is: (text: string) => words.includes(text),
  must: words.join(', ').replace(/, ([^,]*)$/, ' or $1'),
})
const isOrigin = (text: string) => http.is(text) && new URL(text).origin === text

const listOf = (text = ''): string[] =>
  text
    .split(',')
    .map((one) => one.trim())
    .filter(Boolean)

const HOOK_SECRET_MIN = 24
const SECRETS_KEY_MIN = 32

/** Variables of the environment that are text with a required form. */
const TEXTS: Record<string, { is: (text: string) => boolean; must: string }> = {
  DATABASE_URL: {
    is: (text) => connectionUrlsPerHost(text).every(isUrl('postgres', 'postgresql')),
    must: 'an address that begins with postgres://, with one host or several between commas',
  },
  REDIS_URL: { is: isUrl('redis', 'rediss'), must: 'an address that begins with redis://' },
  MQTT_URL: mqtt,
  MQTT_ADMIN_URL: mqtt,
  MQTT_ACCESS: oneOf('dynsec'),
  MQTT_HOOK_SECRET: { is: (text) => text.length >= HOOK_SECRET_MIN, must: `at least ${HOOK_SECRET_MIN} characters` },
  SECRETS_KEY: {
    is: (text) => text.length >= SECRETS_KEY_MIN,
    must:
      `at least ${SECRETS_KEY_MIN} characters; one in use that is shorter goes to SECRETS_KEYS_ALSO, beside a new ` +
      'SECRETS_KEY',
  },
  S3_ENDPOINT: http,
  S3_PATH_STYLE: oneOf('true', 'false'),
  PUBLIC_URL: http,
  PAYMENT_CHANNEL_URL: http,
  CORS_ORIGINS: {
    is: (text) => text.split(',').every((one) => !one.trim() || isOrigin(one.trim())),
    must: 'a comma list of origins such as https://office.example.com, without a path',
  },
  TRUST_PROXY: {
    is: (text) => proxiesOf(text) !== undefined,
    must: 'true, a number of proxies from 0 to 9, or a list of their addresses or networks',
  },
  SOURCE_NETWORKS: {
    is: (text) => listOf(text).every((one) => isNetwork(one) && !NETWORKS.has(one)),
    must: 'a comma list of networks such as 10.20.0.0/16',
  },
  SOURCE_PORTS: {
    is: (text) => listOf(text).every((one) => /^\d{1,5}$/.test(one) && Number(one) >= 1 && Number(one) <= 65_535),
    must: 'a comma list of ports such as 5432,3306',
  },
  SIMULATORS: oneOf('on', 'off'),
  PRACTICE: oneOf('on', 'off'),
  SIMULATOR_PACE: { is: (text) => paceOf(text) !== undefined, must: PACES },
  LOG_LEVEL: oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'),
}

/** Variables that need other variables beside them. */
const TOGETHER: Record<string, readonly string[]> = {
  MQTT_TLS_PORT: ['MQTT_TLS_KEY', 'MQTT_TLS_CERT'],
  MQTT_ACCESS: ['MQTT_URL', 'MQTT_ADMIN_URL'],
  MQTT_HOOK_SECRET: ['MQTT_URL'],
}

/**
 * Returns whether simulated devices can be given faults and practice tenants be created: as PRACTICE says, by default
 * with the demo data unless SIMULATORS is off.
 */
export const isSimulationEnabled = (story: Config['story'], env: NodeJS.ProcessEnv): boolean =>
  env.PRACTICE ? env.PRACTICE === 'on' : story === 'demo' && env.SIMULATORS !== 'off'

/** Returns a whole number of the environment, or its default. */
export const readEnvironmentNumber = (env: NodeJS.ProcessEnv, name: keyof typeof NUMBERS): number =>
  env[name] ? Number(env[name]) : NUMBERS[name].unless

/** Returns one sentence for each invalid variable of the environment. An empty variable counts as not set. */
export function findEnvironmentProblems(env: NodeJS.ProcessEnv): string[] {
  const numbers = Object.entries(NUMBERS).flatMap(([name, { min, max }]) => {
    const text = env[name] || undefined
    if (text === undefined || (/^\d+$/.test(text) && Number(text) >= min && Number(text) <= max)) return []
    return [`${name} must be a whole number from ${min} to ${max}; "${text}" is not.`]
  })
  const texts = Object.entries(TEXTS).flatMap(([name, { is, must }]) => {
    const text = env[name] || undefined
    if (text === undefined || is(text)) return []
    // Addresses may contain a password, secrets are one: their value is not printed.
    return [/_(URL|SECRET|KEY)$/.test(name) ? `${name} must be ${must}.` : `${name} must be ${must}; "${text}" is not.`]
  })
  const alone = Object.entries(TOGETHER).flatMap(([name, others]) =>
    env[name] && env[name] !== '0'
      ? others.filter((other) => !env[other]).map((other) => `${name} needs ${other} beside it.`)
      : [],
  )
  return [...numbers, ...texts, ...alone]
}

/** Parses the command line, whose only option is `--story`. Throws with the usage on anything else. */
function storyIn(args: readonly string[]): Config['story'] {
  let story: Config['story'] = 'demo'
  for (let at = 0; at < args.length; at++) {
    const [name, inline] = args[at]!.split('=', 2)
    const value = inline ?? args[++at]
    if (name !== '--story' || (value !== 'demo' && value !== 'empty'))
      throw new Error(`${args[at - (inline ? 0 : 1)] ?? args[at]} is not understood.\n${USAGE}`)
    story = value
  }
  return story
}

/** Reads the settings from the command line and the environment. Throws with the usage when something is not valid. */
export function readConfig(args: readonly string[], env: NodeJS.ProcessEnv): StartConfig {
  const story = storyIn(args)
  const faults = findEnvironmentProblems(env)
  if (faults.length) throw new Error(`${faults.join('\n')}\n${USAGE}`)
  const port = readEnvironmentNumber(env, 'PORT')
  const host = env.HOST || 'localhost'
  return {
    port,
    host,
    story,
    dataDir: resolve(env.DATA_DIR || './data'),
    databaseUrl: env.DATABASE_URL || undefined,
    archiveDir: env.ARCHIVE_DIR ? resolve(env.ARCHIVE_DIR) : undefined,
    publicUrl: env.PUBLIC_URL || `http://${host === '0.0.0.0' || host === '::' ? 'localhost' : host}:${port}`,
    isTest: false,
    corsOrigins: listOf(env.CORS_ORIGINS),
    sourceNetworks: listOf(env.SOURCE_NETWORKS),
    sourcePorts: listOf(env.SOURCE_PORTS).map(Number),
    trustProxy: proxiesOf(env.TRUST_PROXY ?? '') ?? false,
    generalPerMinute: readEnvironmentNumber(env, 'RATE_LIMIT'),
  }
}
