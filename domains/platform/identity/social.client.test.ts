import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { simulatedClient, startSignInSimulator } from '#simulators/oidc/oidc.simulator.ts'
import type { SignInSimulator } from '#simulators/oidc/oidc.simulator.ts'
import { createSocialProviders, readSocialSettings } from './social.client.ts'
import type { SocialProviders, SocialSettings } from './social.client.ts'

const redirectUri = 'http://localhost:8080/login'
const kinds = ['oidc', 'github', 'gitee', 'wechat_open', 'dingtalk', 'wecom'] as const
const faults: string[] = []

let simulator: SignInSimulator
let providers: SocialProviders

const settings = (changes: Partial<SocialSettings> = {}): SocialSettings[] =>
  kinds.map((kind) => ({
    source: kind,
    kind,
    ...simulatedClient,
    issuer: simulator.url,
    gateway: simulator.url,
    ...changes,
  }))

beforeAll(async () => {
  simulator = await startSignInSimulator()
  providers = createSocialProviders(settings(), {
    timeoutMs: 300,
    onFault: (source, { code }) => faults.push(`${source} ${code}`),
  })
})
afterEach(() => {
  simulator.fail('none')
  faults.length = 0
})
afterAll(() => simulator.close())

/** Acts as the browser: opens the sign-in page, chooses a person, follows the redirect. Returns the code. */
async function agree(source: string, login = 'wangjianguo', state = 'state-1'): Promise<string> {
  const target = new URL(await providers.authorizeUrl(source, state, redirectUri))
  target.searchParams.set('login', login)
  const response = await fetch(target, { redirect: 'manual' })
  const back = new URL(response.headers.get('location')!)
  expect(back.href.startsWith(redirectUri)).toBe(true)
  expect(back.searchParams.get('state')).toBe(state)
  return back.searchParams.get('code') ?? back.searchParams.get('authCode') ?? ''
}

const refused = (code: string, reason?: string) =>
  expect.objectContaining({ code, ...(reason && { params: { reason } }) })

describe.each([
  [
    'oidc',
    {
      uuid: '90210',
      username: 'wangjianguo',
      email: 'wang@example.com',
      blog: 'https://example.com/wang',
      location: '杭州',
      gender: 1,
    },
  ],
  [
    'github',
    {
      uuid: '90210',
      username: 'wangjianguo',
      email: 'wang@example.com',
      blog: 'https://example.com/wang',
      company: '邻里优选',
      location: '杭州',
      gender: 3,
    },
  ],
  [
    'gitee',
    { uuid: '90210', username: 'wangjianguo', email: 'wang@example.com', blog: 'https://example.com/wang', gender: 3 },
  ],
  ['wechat_open', { uuid: 'u-90210', username: '王建国', email: '', location: '中国-杭州', gender: 1 }],
  ['dingtalk', { uuid: 'du-90210', username: '王建国', email: 'wang@example.com', gender: 3 }],
  ['wecom', { uuid: 'wangjianguo', username: 'wangjianguo', email: 'wang@example.com', gender: 1 }],
])('sign-in through %s', (source, expected) => {
  it('says who somebody is, in one shape for all', async () => {
    const profile = await providers.exchange(source, await agree(source), 'state-1', redirectUri)
    expect(profile).toMatchObject({ ...expected, nickname: '王建国', source })
    expect(profile.avatar).toMatch(/^data:image/)
    expect(Object.values(profile).every((value) => value !== null && value !== undefined)).toBe(true)
  })

  it('takes a code once', async () => {
    const code = await agree(source)
    await providers.exchange(source, code, 'state-1', redirectUri)
    await expect(providers.exchange(source, code, 'state-1', redirectUri)).rejects.toEqual(refused('social_denied'))
  })

  it('is refused with an invented code and with a wrong secret, and the log knows why', async () => {
    await expect(providers.exchange(source, 'invented', 'state-1', redirectUri)).rejects.toEqual(
      refused('social_denied'),
    )
    const wrong = createSocialProviders(settings({ clientSecret: 'wrong' }))
    await expect(wrong.exchange(source, await agree(source), 'state-1', redirectUri)).rejects.toEqual(
      refused('social_denied'),
    )
    expect(faults).toHaveLength(1)
  })

  it.each(['timeout', 'server_error', 'no_json'] as const)(
    'does not blame the person when the other side fails by %s',
    async (failure) => {
      const code = await agree(source)
      simulator.fail(failure)
      await expect(providers.exchange(source, code, 'state-1', redirectUri)).rejects.toEqual(
        refused('social_unavailable'),
      )
    },
  )

  it('shows a page on which a person may also say no', async () => {
    const page = await fetch(await providers.authorizeUrl(source, 's', redirectUri))
    expect(page.status).toBe(200)
    expect(await page.text()).toContain('王建国')
    expect(await agree(source, '')).toBe('')
  })
})

describe('what a stranger may try', () => {
  it.each(['oidc', 'github'])('a code brought back with another state is worth nothing at %s', async (source) => {
    const code = await agree(source, 'wangjianguo', 'state-of-the-thief')
    await expect(providers.exchange(source, code, 'state-of-the-victim', redirectUri)).rejects.toEqual(
      refused('social_denied'),
    )
  })

  it.each(['wrong_key', 'wrong_nonce'] as const)('an id token with a %s is refused', async (failure) => {
    const code = await agree('oidc')
    simulator.fail(failure)
    await expect(providers.exchange('oidc', code, 'state-1', redirectUri)).rejects.toEqual(
      refused('social_denied', 'id_token_invalid'),
    )
  })

  it('a discovery document for another issuer is refused', async () => {
    const other = createSocialProviders(settings({ issuer: `${simulator.url}/` }))
    await expect(other.authorizeUrl('oidc', 's', redirectUri)).rejects.toEqual(
      refused('social_denied', 'issuer_mismatch'),
    )
  })

  it('an answer without end is not read on, and a redirect is not followed', async () => {
    let sent = 0
    let isFollowed = false
    const server = createServer((request, response) => {
      if (request.url === '/elsewhere') isFollowed = true
      if (request.url?.startsWith('/moved')) return void response.writeHead(302, { location: '/elsewhere' }).end()
      const part = Buffer.alloc(100_000, ' ')
      const write = () => {
        while (!response.destroyed && response.write(part)) sent += part.length
      }
      response.on('drain', write)
      write()
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    for (const issuer of [`${base}/endless`, `${base}/moved`])
      await expect(createSocialProviders(settings({ issuer })).authorizeUrl('oidc', 's', redirectUri)).rejects.toEqual(
        refused('social_unavailable'),
      )
    server.closeAllConnections()
    await new Promise((done) => server.close(done))
    expect(isFollowed).toBe(false)
    expect(sent).toBeLessThan(20_000_000)
  })

  it('a stranger to the company does not come in through WeCom', async () => {
    const code = await agree('wecom', 'guest')
    await expect(providers.exchange('wecom', code, 'state-1', redirectUri)).rejects.toEqual(
      refused('social_denied', 'not_a_member'),
    )
  })

  it('a source that is not set up is refused by name', async () => {
    await expect(providers.authorizeUrl('facebook', 's', redirectUri)).rejects.toEqual(refused('social_unknown'))
  })
})

describe('settings', () => {
  it('come from the environment; what has no secret is off', () => {
    expect(readSocialSettings({ SOCIAL_GITHUB_ID: 'a', SOCIAL_GITHUB_SECRET: 'b', SOCIAL_GITEE_ID: 'c' })).toEqual([
      {
        source: 'github',
        kind: 'github',
        clientId: 'a',
        clientSecret: 'b',
        issuer: undefined,
        agentId: undefined,
        gateway: undefined,
      },
    ])
    expect(() => readSocialSettings({ SOCIAL_OIDC_ID: 'a', SOCIAL_OIDC_SECRET: 'b' })).toThrow(
      'SOCIAL_OIDC_ISSUER is missing',
    )
  })
})
