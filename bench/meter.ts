// Measures the CPU time of a call in server and database, in milliseconds.
import { readdirSync, readFileSync } from 'node:fs'
import type pg from 'pg'

const TICK_MS = 10
const fieldsOf = (pid: string | number): string[] => {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
  return text.slice(text.lastIndexOf(')') + 2).split(' ')
}

/** Returns the milliseconds of CPU a process has used; NaN where that is not known. */
export function processorMs(pid: string | number): number {
  try {
    const fields = fieldsOf(pid)
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS
  } catch {
    return NaN
  }
}

/** CPU time of a process's ended children, so that closed connections count too. */
function endedMs(pid: string): number {
  const fields = fieldsOf(pid)
  return (Number(fields[13]) + Number(fields[14])) * TICK_MS
}

/** Like `processorMs` for the database server with all its connections; NaN for a remote one. */
export async function databaseMeter(pool: pg.Pool): Promise<() => number> {
  const { rows } = await pool.query<{ pid: number }>('select pg_backend_pid() as pid')
  let server: string
  try {
    server = fieldsOf(rows[0]!.pid)[1]!
  } catch {
    return () => NaN
  }
  return () =>
    readdirSync('/proc')
      .filter((pid) => /^\d+$/.test(pid))
      .filter((pid) => {
        try {
          return pid === server || fieldsOf(pid)[1] === server
        } catch {
          return false
        }
      })
      .reduce((sum, pid) => sum + (processorMs(pid) || 0), endedMs(server))
}
