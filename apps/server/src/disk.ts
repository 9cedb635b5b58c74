import { existsSync, realpathSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { isDiskFullError } from '#kit/server/database/connections.ts'
import type { Services } from '#kit/server/services.ts'
import { defineGlobalSharedKey } from '#kit/server/shared/index.ts'
import { notifyPlatformOncePerDay } from './warnings.ts'

type DiskState = { ok: boolean; isLow: boolean }

export type DiskMonitor = {
  /** `ok` is false while nothing can be saved; `isLow` says so before. */
  state: () => DiskState
  /** To be told of every failure: what the database says of its own disk is the only news of one elsewhere. */
  note: (error: unknown) => void
  /**
   * Measured, not heard of: changes are refused before they take the last room, which is kept for the database's own
   * log.
   */
  isFull: () => boolean
  /** Looks now. */
  check: () => Promise<void>
  stop: () => void
}

const LOOK_MS = 2000
/** After the last save that found no room, the disk counts as full for so long. */
const FULL_MS = 30_000
const LOW = { share: 0.1, bytes: 2e9 }
/** Without room for its log PostgreSQL stops, and then nothing can be read either. */
const FULL = { share: 0.02, bytes: 64e6 }
const TOLD = defineGlobalSharedKey('disk-low', 'of the installation, not of a tenant')()

type Room = { free: number; size: number }

/** Short of room by its share, or, on a large disk, by its bytes. */
export const isDiskSpaceBelow = ({ free, size }: Room, limit: typeof LOW): boolean =>
  free < Math.min(size * limit.share, limit.bytes)

async function roomOf(path: string): Promise<Room | undefined> {
  const found = await statfs(path).catch(() => undefined)
  return found && { free: found.bavail * found.bsize, size: found.blocks * found.bsize }
}

/** Watches the disks of files and of the embedded database, and tells the platform once a day before one is full. */
export function watchDiskSpace(
  services: Services,
  look: (path: string) => Promise<Room | undefined> = roomOf,
): DiskMonitor {
  const { dataDir } = services.config
  const known = [dataDir, join(dataDir, 'postgres', 'cluster')].filter((path) => existsSync(path))
  const places = known.map((path) => realpathSync(path))
  let refusedAt = -FULL_MS
  let state: DiskState = { ok: true, isLow: false }

  async function check(): Promise<void> {
    const rooms = (await Promise.all(places.map(look))).filter((room) => room !== undefined)
    const isFull = rooms.some((room) => isDiskSpaceBelow(room, FULL))
    const was = state
    state = { ok: !isFull, isLow: rooms.some((room) => isDiskSpaceBelow(room, LOW)) }
    if (state.isLow && !isFull) await notifyLowDisk(services, Math.min(...rooms.map(({ free }) => free)))
    else if (was.isLow) await services.shared.forget(TOLD)
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
    key: TOLD,
    title: `服务器磁盘即将写满，仅剩 ${left} / The disk of the server is nearly full, ${left} left`,
    content:
      '<p>写满后不能再保存任何数据，查询不受影响。请清理或扩容。</p>' +
      '<p>When it is full nothing can be saved; looking things up still works. Please make room.</p>',
  })
}
