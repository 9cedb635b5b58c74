import { parseWireTime } from '#domains/shops/work-orders/index.ts'

/** Returns the length of a visit in minutes and seconds; undefined before its end. */
export function visitStayDuration(visit: {
  enterTime?: unknown
  leaveTime?: unknown
}): { minutes: number; seconds: number } | undefined {
  if (!visit.leaveTime || !visit.enterTime) return undefined
  const [from, to] = [parseWireTime(String(visit.enterTime)), parseWireTime(String(visit.leaveTime))]
  const seconds = Math.round((to.getTime() - from.getTime()) / 1000)
  return { minutes: Math.floor(seconds / 60), seconds: seconds % 60 }
}
