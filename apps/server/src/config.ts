import { resolve } from 'node:path'
import type { Config } from '#kit/server/services.ts'

export type Start = Omit<Config, 'databaseUrl'> & { databaseUrl?: string; generalPerMinute: number }

const USAGE = `Usage: npm start -- [--story demo|empty]
Environment: PORT (8080), HOST (localhost), DATA_DIR (./data), DATABASE_URL, REDIS_URL, MQTT_URL, S3_ENDPOINT…, PUBLIC_URL, CORS_ORIGINS, TRUST_PROXY`

/** Settings from the command line and the environment. Throws with the usage when something is not understood. */
export function readConfig(args: readonly string[], env: NodeJS.ProcessEnv): Start {
  let story: Config['story'] = 'demo'
  for (let at = 0; at < args.length; at++) {
    const [name, inline] = args[at]!.split('=', 2)
    const value = inline ?? args[++at]
    if (name !== '--story' || (value !== 'demo' && value !== 'empty')) throw new Error(`${args[at - (inline ? 0 : 1)] ?? args[at]} is not understood.\n${USAGE}`)
    story = value
  }
  const port = Number(env.PORT ?? 8080)
  if (!Number.isInteger(port) || port < 0 || port > 65535) throw new Error(`PORT must be a number from 0 to 65535.\n${USAGE}`)
  const host = env.HOST ?? 'localhost'
  return {
    port, host, story,
    dataDir: resolve(env.DATA_DIR ?? './data'),
    databaseUrl: env.DATABASE_URL || undefined,
    publicUrl: env.PUBLIC_URL ?? `http://${host === '0.0.0.0' || host === '::' ? 'localhost' : host}:${port}`,
    isTest: false,
    corsOrigins: (env.CORS_ORIGINS ?? '').split(',').map((origin) => origin.trim()).filter(Boolean),
    trustProxy: env.TRUST_PROXY === 'true',
    generalPerMinute: Number(env.RATE_LIMIT ?? 6000),
  }
}
