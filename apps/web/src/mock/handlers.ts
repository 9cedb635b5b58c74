import { http, HttpResponse } from 'msw'
import type { RequestHandler } from 'msw'
import { mockAccountHandlers } from './account.ts'
import { prefersEnglish, mockSuccessResponse } from './answers.ts'
import { MockResource } from './mock-resource.ts'
import { mockHomeHandlers } from './home.ts'
import { buildMockButtonCodes, mockMenusPromise, buildMockMenus } from './menus.ts'
import { mockNoticeHandlers } from './notices.ts'

const MENU = '/api/blade-system/menu'
const mockResources = new Map<string, MockResource>()

function mockResourceOf(url: URL) {
  const path = url.pathname.replace(/\/[^/]+$/, '')
  const mockResource = mockResources.get(path) ?? new MockResource(path)
  mockResources.set(path, mockResource)
  return mockResource
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
    mockSuccessResponse(
      await buildMockMenus(prefersEnglish(request), new URL(request.url).searchParams.get('topMenuId') ?? ''),
    ),
  ),
  http.get(`${MENU}/held`, async ({ request }) =>
    mockSuccessResponse({
      roles: ['administrator'],
      routes: await buildMockMenus(prefersEnglish(request), ''),
      topMenus: topMenus(prefersEnglish(request)),
      buttons: await buildMockButtonCodes(),
    }),
  ),
]

const quiet = new TextEncoder().encode(': mock\n\n')

// Sends only comments, which keep the connection alive.
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
  return mockSuccessResponse(
    entries.map(([dictKey, zh, en], n) => ({
      id: `${code}-${dictKey}`,
      code,
      dictKey,
      dictValue: prefersEnglish(request) ? en : zh,
      sort: n + 1,
      isSealed: 0,
      remark: 'leave',
    })),
  )
}

/** Returns the handlers that answer every call in the browser. Resources without sample rows start empty. */
export async function createMockHandlers(): Promise<RequestHandler[]> {
  const { resources } = await mockMenusPromise
  for (const resource of resources) mockResources.set(resource.path, new MockResource(resource.path, resource))
  return [
    ...mockAccountHandlers,
    ...menuHandlers,
    ...mockNoticeHandlers,
    ...mockHomeHandlers,
    http.get('/api/blade-system/dict/dictionary', dictionary),
    http.get('/api/blade-system/dict-biz/dictionary', dictionary),
    http.get('/api/live', () => new HttpResponse(liveStream(), { headers: { 'Content-Type': 'text/event-stream' } })),
    http.get('/api/*/list', ({ request }) => {
      const url = new URL(request.url)
      return mockSuccessResponse(mockResourceOf(url).list(url.searchParams))
    }),
    http.get('/api/*/detail', ({ request }) => {
      const url = new URL(request.url)
      return mockSuccessResponse(mockResourceOf(url).detail(url.searchParams.get('id') ?? ''))
    }),
    http.post('/api/*/submit', async ({ request }) => {
      mockResourceOf(new URL(request.url)).submit((await request.json()) as Record<string, unknown>)
      return mockSuccessResponse()
    }),
    http.post('/api/*/remove', ({ request }) => {
      const url = new URL(request.url)
      mockResourceOf(url).remove(url.searchParams.get('ids') ?? '')
      return mockSuccessResponse()
    }),
    http.get('/api/*', () => mockSuccessResponse([])),
    http.post('/api/*', () => mockSuccessResponse()),
  ]
}
