import { sql, type Db } from '#kit/server/database/db.ts'
import { defineTable } from '#kit/server/database/schema.ts'

/**
 * Incomplete last lines of a session's output, as bytes. Messages end anywhere, also within a character or a password,
 * and secrets are only recognised and masked in complete lines.
 */
export const remoteOutputTailTable = defineTable({
  name: 'remote_output_tail',
  tenancy: 'tenant',
  primaryKey: ['tenant_id', 'session_id', 'seq', 'stream'],
  secret: ['data'],
  columns: {
    tenant_id: 'text not null',
    session_id: 'bigint not null',
    seq: 'integer not null',
    stream: 'text not null',
    data: 'bytea not null',
  },
})

export type RemoteOutputStream = { sessionId: string; seq: number; stream: 'out' | 'err' }

/** A longer line is shown in pieces. */
const TAIL_MAX = 16_384
/** How far from the end a piece looks for a space to end at. */
const NEAR = 4_096
const NEWLINE = 10
const BETWEEN_WORDS = new Set([...' \t,;&'].map((letter) => letter.charCodeAt(0)))

/** Returns the length of the complete lines, or of the piece to show of a line that is too long. */
function endOf(bytes: Buffer): number {
  const end = bytes.lastIndexOf(NEWLINE) + 1
  if (bytes.length - end <= TAIL_MAX) return end
  for (let at = bytes.length - 1; at >= bytes.length - NEAR; at--) if (BETWEEN_WORDS.has(bytes[at]!)) return at + 1
  return bytes.length
}

/**
 * Appends output to what was kept and returns the complete lines; keeps the rest. With `isLast`, returns everything.
 */
export async function takeCompleteLines(
  db: Db,
  { sessionId, seq, stream }: RemoteOutputStream,
  output: Buffer,
  { isLast }: { isLast: boolean },
): Promise<string> {
  const kept = await db.one<{ data: string }>(sql`delete from remote_output_tail where tenant_id = ${db.tenantId}
    and session_id = ${sessionId} and seq = ${seq} and stream = ${stream} returning encode(data, 'hex') as data`)
  const bytes = Buffer.concat([Buffer.from(kept?.data ?? '', 'hex'), output])
  const end = isLast ? bytes.length : endOf(bytes)
  if (end < bytes.length)
    await db.run(sql`insert into remote_output_tail (tenant_id, session_id, seq, stream, data)
      values (${db.tenantId}, ${sessionId}, ${seq}, ${stream}, ${bytes.subarray(end)})`)
  return bytes.toString('utf8', 0, end)
}
