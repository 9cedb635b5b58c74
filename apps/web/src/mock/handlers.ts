import { http, HttpResponse } from 'msw'
import type { RequestHandler } from 'msw'
import { accountHandlers } from './account.ts'
import { english, ok } from './answers.ts'
import { Family } from './family.ts'
import { homeHandlers } from './home.ts'
import { buttons, gathered, routes } from './menus.ts'
import { noticeHandlers } from './notices.ts'

const MENU = '/api/blade-system/menu'
const families = new Map<string, Family>()

function familyOf(url: URL) {
  const path = url.pathname.replace(/\/[^/]+$/, '')
  const family = families.get(path) ?? new Family(path)
  families.set(path, family)
  return family
}

const topMenus = (isEnglish: boolean) =>
  isEnglish
    ? [
        { id: '1', name: 'Business', source: 'shop', code: 'business' },
        { id: '2', name: 'Administration', source: 'setting', code: 'admin' },
      ]
    : [
        { id: '1', name: '经营', source: 'shop', code: 'business' },
        { id: '2', name: '系统', source: 'setting', code: 'admin' },
      ]

const menuHandlers = [
  http.get(`${MENU}/routes`, async ({ request }) =>
    ok(await routes(english(request), new URL(request.url).searchParams.get('topMenuId') ?? '')),
  ),
  http.get(`${MENU}/held`, async ({ request }) =>
    ok({
      roles: ['administrator'],
      routes: await routes(english(request), ''),
      topMenus: topMenus(english(request)),
      buttons: await buttons(),
    }),
  ),
]

const quiet = new TextEncoder().encode(': mock\n\n')

// A line that says nothing but that it is alive.
function liveStream() {
  let timer: ReturnType<typeof setInterval>
  return new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(quiet)
      timer = setInterval(() => controller.enqueue(quiet), 15_000)
    },
    cancel: () => clearInterval(timer),
  })
}

const dictionaries: Record<string, [string, string, string][]> = {
  sex: [
    ['1', '男', 'Male'],
    ['2', '女', 'Female'],
  ],
  yes_no: [
    ['1', '否', 'No'],
    ['2', '是', 'Yes'],
  ],
  flow: [
    ['1', '请假流程', 'Leave'],
    ['2', '报销流程', 'Expenses'],
  ],
  notice: [
    ['1', '发布通知', 'Announcement'],
    ['2', '批转通知', 'Passed on'],
    ['3', '转发通知', 'Forwarded'],
  ],
}

function dictionary({ request }: { request: Request }) {
  const code = new URL(request.url).searchParams.get('code') ?? ''
  const entries = dictionaries[code] ?? [
    ['1', '选项一', 'First'],
    ['2', '选项二', 'Second'],
    ['3', '选项三', 'Third'],
  ]
  return ok(
    entries.map(([dictKey, zh, en], n) => ({
      id: `${code}-${dictKey}`,
      code,
      dictKey,
      dictValue: english(request) ? en : zh,
      sort: n + 1,
      isSealed: 0,
      remark: 'leave',
    })),
  )
}

/** Every call of the browser, answered in the browser. Families nobody prepared start out empty. */
export async function makeHandlers(): Promise<RequestHandler[]> {
  const { resources } = await gathered
  for (const resource of resources) families.set(resource.path, new Family(resource.path, resource))
  return [
    ...accountHandlers,
    ...menuHandlers,
    ...noticeHandlers,
    ...homeHandlers,
    http.get('/api/blade-system/dict/dictionary', dictionary),
    http.get('/api/blade-system/dict-biz/dictionary', dictionary),
    http.get('/api/live', () => new HttpResponse(liveStream(), { headers: { 'Content-Type': 'text/event-stream' } })),
    http.get('/api/*/list', ({ request }) => {
      const url = new URL(request.url)
      return ok(familyOf(url).list(url.searchParams))
    }),
    http.get('/api/*/detail', ({ request }) => {
      const url = new URL(request.url)
      return ok(familyOf(url).detail(url.searchParams.get('id') ?? ''))
    }),
    http.post('/api/*/submit', async ({ request }) => {
      familyOf(new URL(request.url)).submit((await request.json()) as Record<string, unknown>)
      return ok()
    }),
    http.post('/api/*/remove', ({ request }) => {
      const url = new URL(request.url)
      familyOf(url).remove(url.searchParams.get('ids') ?? '')
      return ok()
    }),
    http.get('/api/*', () => ok([])),
    http.post('/api/*', () => ok()),
  ]
}
