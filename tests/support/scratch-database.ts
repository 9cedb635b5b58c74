import { connect } from 'node:net'
import type pg from 'pg'
import { openPool } from '#kit/server/database/connections.ts'
import { testDatabase } from './database.ts'

export type ScratchDatabase = { url: string; pool: pg.Pool; drop(): Promise<void> }

/** Creates a database with only these tables, for tests that need no other part. `drop` removes it. */
export async function scratchDatabase(tablesSql: string): Promise<ScratchDatabase> {
  const { url, drop } = await testDatabase({ empty: true })
  const pool = openPool({ connectionString: url, max: 8, pipeline: true })
  await pool.query(tablesSql)
  return {
    url,
    pool,
    async drop() {
      await pool.end()
      await drop()
    },
  }
}

/**
 * Returns whether something accepts connections at an address; tests of optional external services are skipped
 * otherwise.
 */
export function answers(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname, () => {
      socket.destroy()
      resolve(true)
    })
    socket.on('error', () => resolve(false))
  })
}

export const redisUrl = process.env.TEST_REDIS_URL ?? 'redis://127.0.0.1:6379'
export const redisAnswers = await answers(redisUrl)
export const mqttUrl = process.env.TEST_MQTT_URL ?? 'mqtt://127.0.0.1:1883'
export const mqttAnswers = await answers(mqttUrl)
