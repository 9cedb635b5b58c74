import { delay, http, HttpResponse } from 'msw'
import { prefersEnglish, mockSuccessResponse, mockRefusalResponse } from './answers.ts'

const AUTH = '/api/blade-auth/oauth'
const CODE = 'MOCK5'

let profile = {
  id: '1',
  account: 'admin',
  name: '管理员',
  realName: '林晓',
  phone: '13800138000',
  email: 'lin@example.com',
  avatar: '',
}

const token = () => ({
  access_token: `mock-access-${Date.now()}`,
  refresh_token: `mock-refresh-${Date.now()}`,
  token_type: 'bearer',
  expires_in: 3600,
  tenant_id: '000000',
  user_id: '1',
  dept_id: '1',
  post_id: '1',
  role_id: '1',
  role_name: 'administrator',
  account: profile.account,
  user_name: profile.account,
  nick_name: profile.name,
  real_name: profile.realName,
  avatar: profile.avatar,
  oauth_id: '',
})

function captchaImage() {
  const letters = [...CODE].map(
    (letter, at) =>
      `<text x="${14 + at * 22}" y="${33 - (at % 2) * 5}" transform="rotate(${at * 7 - 14} ${14 + at * 22} ` +
      `28)">${letter}</text>`,
  )
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 130 48">
    <rect width="130" height="48" fill="#eef3fa"/><path d="M0 30q32-26 65 0t65-8" fill="none" stroke="#9db6d8"/>
    <g font-family="monospace" font-size="26" font-weight="700" fill="#31588f">${letters.join('')}</g></svg>`
  return `data:image/svg+xml;utf8,${encodeURIComponent(svg)}`
}

const guest = () => ({
  ...token(),
  user_id: '',
  account: 'octocat',
  user_name: 'octocat',
  role_name: 'guest',
  role_id: '',
  dept_id: '',
  oauth_id: '77',
})

/**
 * Mock routes for signing in and the user's own data. The captcha is always MOCK5, the password anything but "wrong".
 */
export const mockAccountHandlers = [
  http.get(`${AUTH}/captcha`, () =>
    HttpResponse.json({ key: crypto.randomUUID?.() ?? String(Date.now()), image: captchaImage() }),
  ),
  http.get(`${AUTH}/social`, ({ request }) =>
    mockSuccessResponse([
      { source: 'github', name: 'GitHub' },
      { source: 'wechat_open', name: prefersEnglish(request) ? 'WeChat' : '微信' },
    ]),
  ),
  http.get(`${AUTH}/render/:source`, ({ params }) =>
    HttpResponse.redirect(`${location.origin}/oauth/redirect/${String(params.source)}?code=mock&state=000000`),
  ),
  http.post(`${AUTH}/token`, async ({ request }) => {
    const query = new URLSearchParams((await request.json()) as Record<string, string>)
    await delay(250)
    const en = prefersEnglish(request)
    if (query.get('grant_type') === 'social') return HttpResponse.json(guest())
    const code = request.headers.get('Captcha-Code') ?? ''
    if (query.get('grant_type') === 'captcha' && code.toUpperCase() !== CODE) {
      return mockRefusalResponse(400, en ? 'The captcha is not correct' : '验证码不正确')
    }
    // The md5 of "wrong".
    if (query.get('password') === '2bda2998d9b0ee197da142a0447f6725') {
      return mockRefusalResponse(400, en ? 'The user name or password is not correct' : '用户名或密码不正确')
    }
    return HttpResponse.json(token())
  }),
  http.post(`${AUTH}/token/refresh`, () => mockSuccessResponse(token())),
  http.get(`${AUTH}/logout`, () => HttpResponse.json({ success: 'true', msg: 'success' })),
  http.post(`${AUTH}/logout`, () => mockSuccessResponse()),
  http.get(`${AUTH}/clear-cache`, () => HttpResponse.json({ success: 'true', msg: 'success' })),
  http.get('/api/blade-system/tenant/info', () => mockSuccessResponse({})),
  http.get('/api/blade-user/info', () => mockSuccessResponse(profile)),
  http.post('/api/blade-user/update-info', async ({ request }) => {
    profile = { ...profile, ...((await request.json()) as object) }
    return mockSuccessResponse()
  }),
  http.post('/api/blade-user/update-password', () => mockSuccessResponse()),
  http.post('/api/blade-user/register-guest', () => mockSuccessResponse()),
  http.get('/api/blade-system/dept/select', () =>
    mockSuccessResponse([
      { id: '1', deptName: '总公司' },
      { id: '2', deptName: '杭州分公司' },
    ]),
  ),
  http.get('/api/blade-system/role/select', () =>
    mockSuccessResponse([
      { id: '1', roleName: '超级管理员' },
      { id: '2', roleName: '店长' },
    ]),
  ),
  http.post('/api/blade-resource/oss/endpoint/put-file', async ({ request }) => {
    const file = (await request.formData()).get('file')
    const bytes = file instanceof File ? new Uint8Array(await file.arrayBuffer()) : new Uint8Array()
    const type = file instanceof File ? file.type : 'image/png'
    const link = `data:${type};base64,${btoa(String.fromCharCode(...bytes))}`
    return mockSuccessResponse({
      link,
      domain: '',
      name: 'upload',
      originalName: file instanceof File ? file.name : '',
    })
  }),
]
