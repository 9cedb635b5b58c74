import { HttpResponse } from 'msw'

/** Returns a successful answer in the envelope that all answers but tokens and captchas have. */
export const mockSuccessResponse = (data: unknown = {}, msg = '操作成功') =>
  HttpResponse.json({ code: 200, success: true, data, msg })

export const mockRefusalResponse = (code: number, msg: string) =>
  HttpResponse.json({ code, success: false, data: {}, msg, error_code: code, error_description: msg }, { status: code })

export const prefersEnglish = (request: Request) => request.headers.get('Accept-Language')?.startsWith('en') ?? false

const two = (part: number) => String(part).padStart(2, '0')

/** Returns the time some minutes ago in the wire's format, in the browser's time zone. */
export function wireTimeMinutesAgo(minutes: number) {
  const date = new Date(Date.now() - minutes * 60_000)
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join('-')
  return `${day} ${[date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':')}`
}
