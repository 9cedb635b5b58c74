import { existsSync, realpathSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { isDiskFullError } from '#kit/server/database/connections.ts'
import type { Services } from '#kit/server/module/services.ts'
import { defineGlobalSharedKey } from '#kit/server/shared/index.ts'
import { notifyPlatformOncePerDay } from './warnings.ts'

type DiskState = { ok: boolean; isLow: boolean }

export type DiskMonitor = {
  /** `ok` is false while nothing can be saved; `isLow` is true before that. */
  state: () => DiskState
  /** Gets every database error: for a database on another machine, its "disk full" errors are the only sign. */
  note: (error: unknown) => void
  /**
   * Whether the local disks are nearly full, by measurement and not by errors. Changes are then refused, to keep the
   * last space for the database's own log.
   */
  isFull: () => boolean
  /** Measures the disks at once. */
  check: () => Promise<void>
  stop: () => void
}

const LOOK_MS = 2000
/** Time for which the disk counts as full after an error that said so. */
const FULL_MS = 30_000
const LOW = { share: 0.1, bytes: 2e9 }
/** Space kept for the database's log (WAL): without it PostgreSQL stops, and nothing could be read either. */
const FULL = { share: 0.02, bytes: 64e6 }
const NOTIFIED = defineGlobalSharedKey('disk-low', 'of the installation, not of a tenant')()

type DiskSpace = { free: number; size: number }

/**
 * Returns whether the free space is below the share of the disk, or below the bytes where that is less (large disks).
 */
export const isDiskSpaceBelow = ({ free, size }: DiskSpace, limit: typeof LOW): boolean =>
  free < Math.min(size * limit.share, limit.bytes)

async function diskSpaceOf(path: string): Promise<DiskSpace | undefined> {
  const found = await statfs(path).catch(() => undefined)
  return found && { free: found.bavail * found.bsize, size: found.blocks * found.bsize }
}

/**
 * Measures the disks of the data folder and of the embedded database every two seconds. Notifies the platform's users
 * once a day while space is low.
 */
export function watchDiskSpace(
  services: Services,
  look: (path: string) => Promise<DiskSpace | undefined> = diskSpaceOf,
): DiskMonitor {
  const { dataDir } = services.config
  const known = [dataDir, join(dataDir, 'postgres', 'cluster')].filter((path) => existsSync(path))
  const places = known.map((path) => realpathSync(path))
  let refusedAt = -FULL_MS
  let state: DiskState = { ok: true, isLow: false }

  async function check(): Promise<void> {
    const spaces = (await Promise.all(places.map(look))).filter((space) => space !== undefined)
    const isFull = spaces.some((space) => isDiskSpaceBelow(space, FULL))
    const was = state
    state = { ok: !isFull, isLow: spaces.some((space) => isDiskSpaceBelow(space, LOW)) }
    if (state.isLow && !isFull) await notifyLowDisk(services, Math.min(...spaces.map(({ free }) => free)))
    else if (was.isLow) await services.shared.forget(NOTIFIED)
  }

  const watch = () =>
    void check().catch((err: unknown) => {
      services.log.warn({ err }, 'the room on the disks could not be looked at')
    })
  watch()
  const timer = setInterval(watch, LOOK_MS).unref()
  return {
    state: () => (performance.now() - refusedAt < FULL_MS ? { ok: false, isLow: true } : state),
    note: (error) => {
      if (isDiskFullError(error)) refusedAt = performance.now()
    },
    isFull: () => !state.ok,
    check,
    stop: () => clearInterval(timer),
  }
}

const notifyLowDisk = (services: Services, free: number): Promise<void> => {
  const left = `${(free / 1e9).toFixed(1)} GB`
  return notifyPlatformOncePerDay(services, {
    key: NOTIFIED,
    title: `服务器磁盘即将写满，仅剩 ${left} / The disk of the server is nearly full, ${left} left`,
    content:
      '<p>写满后不能再保存任何数据，查询不受影响。请清理或扩容。</p>' +
      '<p>When it is full nothing can be saved; looking things up still works. Please make room.</p>',
  })
}
