import { MANAGEMENT_TENANT } from '#kit/server/base/caller.ts'
import type { Services } from '#kit/server/module/services.ts'
import { defineGlobalSharedKey, type SharedKey } from '#kit/server/shared/index.ts'
import { publishNotice } from '#domains/messaging/notices/api.ts'
import { isClockWrong } from './clock-error.ts'
import { findLastBackupTime, readArchiveAndStandbyHealth, type InstallationHealth } from './installation.ts'

/** A warning to the platform's users, sent once a day for each kind, however many servers see the problem. */
type Warning = { kind: string; title: string; content: string }

const keyOf = defineGlobalSharedKey('warned-of', 'of the installation, not of a tenant')

const DAY_SECONDS = 24 * 3600
const LOOK_MS = 60_000
const BACKUP_HOURS = 36
const STANDBY_LAG_BYTES = 256e6

const hours = (ms: number) => Math.round(ms / 3_600_000)

/** Returns the warnings that apply now. */
export function findInstallationWarnings(
  from: InstallationHealth,
  backup: Date | null | undefined,
  now: Date,
): Warning[] {
  const found: Warning[] = []
  const { archive, clockErrorMs, standbys } = from
  if (archive.isOn && archive.isFailing)
    found.push({
      kind: 'archive/failing',
      title: '数据库日志归档失败 / The log of the database cannot be archived',
      content:
        '<p>归档恢复之前，新的数据只在一块磁盘上，数据库日志也会越积越多。请检查 BACKUP_DIR 是否可写、是否还有空间。</p>' +
        '<p>Until it can, what is saved lies on one disk, and the log takes more and more room. Please look whether ' +
        'BACKUP_DIR can be written and has room.</p>',
    })
  const age = backup ? now.getTime() - backup.getTime() : 0
  if (hours(age) >= BACKUP_HOURS)
    found.push({
      kind: 'backup/old',
      title: `最近一次备份已是 ${hours(age)} 小时前 / The last backup was made ${hours(age)} hours ago`,
      content: '<p>请检查每晚的 npm run backup。</p><p>Please look at the nightly npm run backup.</p>',
    })
  if (isClockWrong(clockErrorMs))
    found.push({
      kind: 'clock/off',
      title: `服务器时钟与数据库相差 ${Math.round(clockErrorMs / 1000)} 秒 / A server's clock is off by ${Math.round(
        clockErrorMs / 1000,
      )} s`,
      content: "<p>请检查服务器的时间同步（NTP）。</p><p>Please look at how the server's time is kept (NTP).</p>",
    })
  for (const { name, state, behindBytes } of standbys)
    if (state !== 'streaming' || (behindBytes ?? 0) > STANDBY_LAG_BYTES)
      found.push({
        kind: `standby/${name}`,
        title: `备库 ${name} 没有跟上 / Standby ${name} does not keep up`,
        content:
          '<p>主库此时损坏会丢失备库尚未收到的数据。请检查备库。</p>' +
          '<p>Were the primary lost now, so would be what the standby lacks. Please look at the standby.</p>',
      })
  return found
}

/** Publishes a notice to all users of the platform once a day, however many processes see the problem. */
export async function notifyPlatformOncePerDay(
  services: Services,
  { key, title, content }: Omit<Warning, 'kind'> & { key: SharedKey },
): Promise<void> {
  if (!(await services.shared.claim(key, 1, DAY_SECONDS))) return
  services.log.warn({ key }, title)
  const published = services.unit({ tenantId: MANAGEMENT_TENANT }, (db) => publishNotice(db, { title, content }))
  // Even the notice may fail on a full disk: the claim is released, so that the next check tries again.
  await published.catch(async (err: unknown) => {
    await services.shared.forget(key).catch(() => {})
    throw err
  })
}

/** Checks every minute. Returns the check and how to stop it. */
export function watchInstallationHealth(services: Services, backupDir = process.env.BACKUP_DIR) {
  const check = async () => {
    const found = findInstallationWarnings(
      await readArchiveAndStandbyHealth(services),
      findLastBackupTime(backupDir),
      services.now(),
    )
    for (const { kind, ...notice } of found) await notifyPlatformOncePerDay(services, { key: keyOf(kind), ...notice })
  }
  const timer = setInterval(() => {
    check().catch((err: unknown) => services.log.warn({ err }, 'the installation could not be looked at'))
  }, LOOK_MS).unref()
  return { check, stop: () => clearInterval(timer) }
}
