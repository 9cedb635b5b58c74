/** Formats a moment as "yyyy-MM-dd HH:mm:ss" in Asia/Shanghai (UTC+8, no daylight saving time). */
export function formatShanghaiTime(moment: Date): string {
  const text = new Date(moment.getTime() + 8 * 3_600_000).toISOString()
  return `${text.slice(0, 10)} ${text.slice(11, 19)}`
}

/** Parses "yyyy-MM-dd HH:mm:ss" in Asia/Shanghai. */
export const parseShanghaiTime = (text: string): Date => new Date(`${text.slice(0, 19).replace(' ', 'T')}+08:00`)
