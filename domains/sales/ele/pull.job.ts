import type { RowOf } from '#kit/resource/index.ts'
import { VendorError } from '#domains/platform/external-apis/api.ts'
import { findPlatformAccount, enqueueSync } from '#domains/sales/delivery-platforms/api.ts'
import { type Db, sql } from '#kit/server/database/db.ts'
import { defineQueue } from '#kit/server/jobs/index.ts'
import { defineModuleJob } from '#kit/server/module/module.ts'
import { isSkippedRowsNote, skippedRowsNote } from '#kit/server/database/each-alone.ts'
import { publishRowsChanged } from '#kit/server/resource/submit-of.ts'
import type { Services } from '#kit/server/module/services.ts'
import { defineSystemText } from '#kit/server/base/system-words.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import { ELE_PLATFORM_NAME } from './account.ts'
import { eleShopInfo } from './ele-shop-info.resource.ts'
import { eleSync, ELE_COMPARISON_STATE } from './ele-sync.resource.ts'
import { eleComparisonSteps } from './pull.ts'

type Progress = RowOf<typeof eleSync>

const ATTEMPTS = 8
const compareEleShopQueue = defineQueue<{ id: string }>('ele.pull', { maxAttempts: ATTEMPTS })
const STEPS = Object.keys(eleComparisonSteps)
const AWAY = defineSystemText({
  zh: '平台没有响应，稍后接着同步',
  en: 'The platform is not responding. The sync continues later.',
})
const STOPPED = defineSystemText({ zh: '平台一直没有响应', en: 'The platform did not respond' })
const GONE = defineSystemText({ zh: '门店或平台凭证已不存在', en: 'The store or its credentials no longer exist' })

/** Starts the comparison of a shop with the platform; a running one continues. */
export async function startEleComparison(db: Db, shop: { id: string; shopId: string }, now: Date): Promise<Progress> {
  await db.advisoryLock(`ele/pull/${shop.id}`)
  const was = await findEleComparison(db, shop.id)
  const isRunning = was?.state === ELE_COMPARISON_STATE.running
  const fresh = {
    state: ELE_COMPARISON_STATE.running,
    step: STEPS[0]!,
    total: 0,
    done: 0,
    different: 0,
    unknown: 0,
    beginTime: formatShanghaiTime(now),
    finishTime: null,
    message: null,
    bookmark: null,
  }
  const row = isRunning
    ? was
    : was
      ? await db.update(eleSync, was.id, fresh)
      : await db.insert(eleSync, { ...fresh, eleShopId: shop.id, shopId: shop.shopId })
  await db.enqueue(compareEleShopQueue, { id: row.id }, { key: row.id })
  publishRowsChanged({ db }, eleSync, [row])
  return row
}

export async function findEleComparison(db: Db, shopId: string): Promise<Progress | undefined> {
  const [row] = await db.find(eleSync, sql`r.ele_shop_id = ${shopId}`)
  return row
}

export const compareEleShopJob = defineModuleJob({
  queue: compareEleShopQueue,
  concurrency: 4,
  fairByTenant: true,
  run: async ({ id }, { tenantId, services, signal, attempt, yieldIfOthersWait }) => {
    const unit = <T>(work: (db: Db) => Promise<T>) => services.unit({ tenantId }, work)
    try {
      while (await pullPart(services, tenantId, id)) {
        signal.throwIfAborted()
        await yieldIfOthersWait?.()
      }
    } catch (error) {
      if (!(error instanceof VendorError)) throw error
      if (error.isUndone && !error.isRetryable) return await unit((db) => end(db, services, id, error.message))
      if (attempt >= ATTEMPTS) return await unit((db) => end(db, services, id, STOPPED))
      await unit((db) => updateComparison(db, id, { message: AWAY }))
      throw error
    }
  },
})

/**
 * Reads one part and stores it with the progress in one transaction, so that after a crash the same part is read again.
 * Returns whether anything is left.
 */
async function pullPart(services: Services, tenantId: string, id: string): Promise<boolean> {
  const unit = <T>(work: (db: Db) => Promise<T>) => services.unit({ tenantId }, work)
  const at = await unit(async (db) => {
    const row = await db.get(eleSync, id)
    if (row?.state !== ELE_COMPARISON_STATE.running) return undefined
    const shop = await db.get(eleShopInfo, row.eleShopId!)
    return { row, shop, account: await findPlatformAccount(db, services, ELE_PLATFORM_NAME) }
  })
  if (!at) return false

  const { row, shop, account } = at
  if (!shop || !account) {
    await unit((db) => end(db, services, id, GONE))
    return false
  }

  const { step, bookmark, beginTime } = row
  const part = await eleComparisonSteps[step!]!(services, account, shop, {
    bookmark: bookmark ?? '',
    begunAt: beginTime!,
  })

  return unit(async (db) => {
    const now = await db.get(eleSync, id, 'forUpdate')
    if (now?.state !== ELE_COMPARISON_STATE.running || now.step !== step || now.bookmark !== bookmark)
      return now?.state === ELE_COMPARISON_STATE.running
    const { seen, different, unknown, next, failed = [] } = await part.write(db)
    const nextStep = next ? step : STEPS[STEPS.indexOf(step!) + 1]
    await updateComparison(db, id, {
      // The first part of a step tells its total.
      total: now.total! + (bookmark ? 0 : part.total),
      done: now.done! + seen,
      different: now.different! + different,
      unknown: now.unknown! + unknown,
      // The note about skipped rows stays until everything was compared again.
      message: skippedRowsNote(failed) ?? (isSkippedRowsNote(now.message) ? now.message : null),
      bookmark: next ?? null,
      ...(nextStep
        ? { step: nextStep }
        : { state: ELE_COMPARISON_STATE.done, finishTime: formatShanghaiTime(services.now()) }),
    })
    // Differences are synced once all of them are known.
    if (!nextStep) await enqueueSync(db, services.now())
    return !!nextStep
  })
}

async function updateComparison(
  db: Db,
  id: string,
  patch: Parameters<typeof db.update<typeof eleSync>>[2],
): Promise<void> {
  publishRowsChanged({ db }, eleSync, [await db.update(eleSync, id, patch)])
}

const end = (db: Db, services: Services, id: string, message: string): Promise<void> =>
  updateComparison(db, id, {
    state: ELE_COMPARISON_STATE.failed,
    message: message.slice(0, 500),
    finishTime: formatShanghaiTime(services.now()),
  })
