import { LRUCache } from 'lru-cache'

let isRemembered = true
const remember = Reflect.get(LRUCache.prototype, 'set') as (...args: unknown[]) => unknown
LRUCache.prototype.set = function (this: LRUCache<any, any>, key: unknown, value: any, ...rest: any[]) {
  return isRemembered || !('isExact' in Object(value)) ? remember.call(this, key, value, ...rest) : this
} as never

/** A total is remembered for some seconds; who asks for a list nobody asked for yet finds none. */
export async function askedAnew<T>(work: () => Promise<T>): Promise<T> {
  isRemembered = false
  try {
    return await work()
  } finally {
    isRemembered = true
  }
}
