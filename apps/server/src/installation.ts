import { statfs } from 'node:fs/promises'
import { listBaseBackups } from '#apps/database/backup/base-backup.ts'
import { listDumps } from '#apps/database/backup/dump.ts'
import { selectDatabaseStateSql } from '#kit/server/database/database-state.ts'
import { firstIdAtTime } from '#kit/server/database/snowflake.ts'
import { sql } from '#kit/server/database/db.ts'
import type { Services } from '#kit/server/module/services.ts'
import { readClockError } from './clock-error.ts'

/** Problems an operator should know of early, as measured by one process of the machine. */
export type InstallationHealth = {
  archive: { isOn: boolean; isFailing: boolean; failed: number; lastSeconds: number | null }
  standbys: { name: string; state: string | null; behindBytes: number | null }[]
  clockErrorMs: number
}
type Installation = InstallationHealth & {
  devices: { state: string; count: number }[]
  commands: { state: string; count: number }[]
}

const DAY_MS = 86_400_000

/**
 * SQL: whether WAL is archived anywhere. Without BACKUP_DIR the embedded database's command is `true`, which keeps
 * nothing.
 */
const isKept = sql`(current_setting('archive_mode') <> 'off' and (coalesce(current_setting('archive_library', true), '')
        <> '' or btrim(current_setting('archive_command')) not in ('', 'true', '/bin/true', '(disabled)')))`

/**
 * Returns the state of archiving and standbys and the clock error. All servers of a database see the same; the cost
 * does not grow with the data.
 */
export async function readArchiveAndStandbyHealth(services: Services): Promise<InstallationHealth> {
  const { systemPool } = services
  const clockErrorMs = await readClockError(services)
  const [archive, database] = await Promise.all([
    systemPool.query<InstallationHealth['archive']>(sql`
      select (archived_count > 0 or failed_count > 0) and ${isKept} as "isOn",
        coalesce(last_failed_time > coalesce(last_archived_time, '-infinity'), false) as "isFailing",
        failed_count::float8 as failed,
        case when ${isKept} then extract(epoch from clock_timestamp() - last_archived_time)::float8 end
          as "lastSeconds" from pg_stat_archiver`),
    systemPool.query<{ state: { standbys: InstallationHealth['standbys'] } }>(selectDatabaseStateSql),
  ])
  return { archive: archive.rows[0]!, standbys: database.rows[0]?.state.standbys ?? [], clockErrorMs }
}

/** Returns the health, and the number of devices and of the last day's commands in each state. */
export async function readInstallationStatus(services: Services): Promise<Installation> {
  const { systemPool, now } = services
  const health = await readArchiveAndStandbyHealth(services)
  const [devices, commands] = await Promise.all([
    systemPool.query<Installation['devices'][number]>(sql`
      select coalesce(state, 'never') as state, count(*)::int as count from device_link
      where client_id is not null group by 1 order by 1`),
    systemPool.query<Installation['commands'][number]>(sql`
      select state, count(*)::int as count from device_command where id >=
        ${firstIdAtTime(now().getTime() - DAY_MS)}::bigint
      group by 1 order by 1`),
  ])
  return { ...health, devices: devices.rows, commands: commands.rows }
}

/** Returns the time of the last completed backup; undefined without BACKUP_DIR, null when there is none yet. */
export function findLastBackupTime(backupDir: string | undefined): Date | null | undefined {
  if (!backupDir) return undefined
  const moments = [
    ...listBaseBackups(backupDir).map(({ end }) => Date.parse(end)),
    ...listDumps(backupDir).map(({ at }) => at),
  ]
  return moments.length ? new Date(Math.max(...moments)) : null
}

/** Registers the gauges for Prometheus and the status page. */
export function registerInstallationMetrics(services: Services, backupDir = process.env.BACKUP_DIR): void {
  const { meters, log, now, config } = services
  let pending: Promise<Installation | undefined> | undefined
  // All gauges of one reading share one query. When the database is unavailable they report nothing.
  const read = () =>
    (pending ??= readInstallationStatus(services)
      .catch((err: unknown) => {
        log.warn({ err }, 'the installation could not be measured')
        return undefined
      })
      .finally(() => (pending = undefined)))

  const one = (name: string, help: string, of: (from: Installation) => number | null) =>
    meters.gauges(name, help, [], async () => {
      const from = await read()
      const value = from && of(from)
      return typeof value === 'number' ? [{ labels: {}, value }] : []
    })
  one('store_archive_failing', '1 while the log of the database cannot be archived', ({ archive }) =>
    archive.isOn ? Number(archive.isFailing) : null,
  )
  one('store_archive_failures', 'Pieces of the log that could not be archived', ({ archive }) =>
    archive.isOn ? archive.failed : null,
  )
  one('store_archive_last_seconds', 'Since a piece of the log was archived', ({ archive }) => archive.lastSeconds)
  one('store_clock_error_seconds', "This clock ahead of the database's", ({ clockErrorMs }) => clockErrorMs / 1000)

  const many = (name: string, help: string, label: string, of: (from: Installation) => [string, number | null][]) =>
    meters.gauges(name, help, [label], async () => {
      const from = await read()
      return (from ? of(from) : []).flatMap(([key, value]) =>
        value === null ? [] : [{ labels: { [label]: key }, value }],
      )
    })
  many('store_standby_behind_bytes', 'What a standby has not replayed', 'standby', ({ standbys }) =>
    standbys.map(({ name, behindBytes }) => [name, behindBytes]),
  )
  many('store_devices', 'Devices with a number, by state', 'state', ({ devices }) =>
    devices.map(({ state, count }) => [state, count]),
  )
  many('store_device_commands', 'Commands to devices of the last day, by what became of them', 'state', (from) =>
    from.commands.map(({ state, count }) => [state, count]),
  )

  meters.gauges('store_backup_age_seconds', 'Since the last backup that came to its end', [], () => {
    const last = findLastBackupTime(backupDir)
    return last ? [{ labels: {}, value: (now().getTime() - last.getTime()) / 1000 }] : []
  })
  meters.gauges('store_disk_free_bytes', 'Bytes free on the disk of the data folder', [], async () => {
    const { bavail, bsize } = await statfs(config.dataDir)
    return [{ labels: {}, value: bavail * bsize }]
  })
  meters.gauge('store_uptime_seconds', 'Since this server began', () => process.uptime())
}
