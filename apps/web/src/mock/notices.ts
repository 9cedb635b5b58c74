import { http } from 'msw'
import { wireTimeMinutesAgo, prefersEnglish, mockSuccessResponse } from './answers.ts'

const OWN = '/api/blade-desk/notice/mine'
const read = new Set<string>()

const sample = [
  [1, '国庆期间补货安排', 'Restocking over the holiday', 12],
  [1, '9 月结算单已生成', 'September statements are ready', 180],
  [5, '店长任命：西湖店', 'New manager at West Lake', 1500],
  [2, '转：消防检查要求', 'Fwd: fire inspection', 300],
  [3, '转：支付通道维护', 'Fwd: payment maintenance', 4000],
  [6, '请确认 3 笔退款申请', 'Please review three refunds', 35],
] as const

function notices(en: boolean) {
  return sample.map(([category, zh, enTitle, minutes], n) => ({
    id: `n${n}`,
    category,
    title: en ? enTitle : zh,
    categoryName: '',
    releaseTime: wireTimeMinutesAgo(minutes),
    isRead: read.has(`n${n}`),
    content: `<p>${en ? 'Sample notice of the mock mode.' : '模拟模式的示例通知。'}</p>`,
  }))
}

/** Mock routes of the user's notices, which can be read and marked as read. */
export const mockNoticeHandlers = [
  http.get(OWN, ({ request }) => {
    const isUnread = new URL(request.url).searchParams.get('isUnread') === 'true'
    const records = notices(prefersEnglish(request)).filter((row) => !isUnread || !row.isRead)
    return mockSuccessResponse({
      records,
      total: records.length,
      unread: records.filter((row) => !row.isRead).length,
      current: 1,
      size: 30,
    })
  }),
  http.get(`${OWN}/detail`, ({ request }) => {
    const id = new URL(request.url).searchParams.get('id') ?? ''
    read.add(id)
    return mockSuccessResponse(notices(prefersEnglish(request)).find((row) => row.id === id))
  }),
  http.post(`${OWN}/read`, ({ request }) => {
    for (const row of notices(prefersEnglish(request))) read.add(row.id)
    return mockSuccessResponse()
  }),
]
