import { LRUCache } from 'lru-cache'

let isRemembered = true
const remember = Reflect.get(LRUCache.prototype, 'set') as (...args: unknown[]) => unknown
LRUCache.prototype.set = function (this: LRUCache<any, any>, key: unknown, value: any, ...rest: any[]) {
  return isRemembered || !('isExact' in Object(value)) ? remember.call(this, key, value, ...rest) : this
} as never

/** Runs a call without the cache of totals, as for a list nobody opened yet. */
export async function withoutTotalsCache<T>(work: () => Promise<T>): Promise<T> {
  isRemembered = false
  try {
    return await work()
  } finally {
    isRemembered = true
  }
}
