import { createHash } from 'node:crypto'
import { urlWithParameters, createSignInDeniedError, textOrEmpty } from './social-http.client.ts'
import type { JsonObject } from './social-http.client.ts'
import type { SocialSignInContext, SocialProfile, SocialSignInProvider } from './social.client.ts'

const at = ({ settings }: SocialSignInContext, host: string, path: string) =>
  `${settings.gateway ? `${settings.gateway}/${host}` : `https://${host}`}${path}`

const nothingElse = { blog: '', company: '', location: '', email: '', gender: 3 } satisfies Partial<SocialProfile>
const genderOf = (value: unknown) => (String(value) === '1' ? 1 : String(value) === '2' ? 2 : 3)

/** Returns the access token. Throws for vendors that answer `error` as in RFC 6749. */
function accessTokenOf(answer: JsonObject): string {
  if (answer.error || !answer.access_token)
    throw createSignInDeniedError(answer.error ?? 'no_access_token', answer.error_description)
  return answer.access_token
}

/** Returns the answer. Throws when it holds an `errcode`, which Tencent's services send with status 200. */
function withoutErrcode(answer: JsonObject): JsonObject {
  if (answer.errcode) throw createSignInDeniedError(answer.errcode, answer.errmsg)
  return answer
}

const basics = (answer: JsonObject, idField: string) => {
  if (!answer[idField]) throw createSignInDeniedError('no_profile', answer.message)
  return answer
}

export const githubSignInProvider: SocialSignInProvider = {
  authorizeUrl(signIn) {
    const {
      settings: { clientId },
      redirectUri,
      state,
      proof,
    } = signIn
    return urlWithParameters(at(signIn, 'github.com', '/login/oauth/authorize'), {
      client_id: clientId,
      redirect_uri: redirectUri,
      scope: 'read:user user:email',
      state,
      code_challenge: createHash('sha256').update(proof).digest('base64url'),
      code_challenge_method: 'S256',
    })
  },
  async profile(signIn, code) {
    const {
      settings: { clientId, clientSecret },
      redirectUri,
      call,
      proof,
    } = signIn
    const token = accessTokenOf(
      await call.json(at(signIn, 'github.com', '/login/oauth/access_token'), {
        form: {
          client_id: clientId,
          client_secret: clientSecret,
          code,
          redirect_uri: redirectUri,
          code_verifier: proof,
        },
      }),
    )
    const headers = { authorization: `token ${token}` }
    const user = basics(await call.json(at(signIn, 'api.github.com', '/user'), { headers }), 'id')
    return {
      uuid: textOrEmpty(user.id),
      username: textOrEmpty(user.login),
      nickname: textOrEmpty(user.name ?? user.login),
      avatar: textOrEmpty(user.avatar_url),
      email: textOrEmpty(user.email) || (await githubEmail(signIn, headers)),
      blog: textOrEmpty(user.blog),
      company: textOrEmpty(user.company),
      location: textOrEmpty(user.location),
      gender: 3,
    }
  },
}

/** Returns the verified primary address, which GitHub has even if the profile hides it; else ''. */
async function githubEmail(signIn: SocialSignInContext, headers: Record<string, string>): Promise<string> {
  const emails = await signIn.call.json(at(signIn, 'api.github.com', '/user/emails'), { headers })
  const primary = Array.isArray(emails) ? emails.find((entry) => entry.primary && entry.verified) : undefined
  return textOrEmpty(primary?.email)
}

export const giteeSignInProvider: SocialSignInProvider = {
  authorizeUrl(signIn) {
    const {
      settings: { clientId },
      redirectUri,
      state,
    } = signIn
    return urlWithParameters(at(signIn, 'gitee.com', '/oauth/authorize'), {
      response_type: 'code',
      client_id: clientId,
      redirect_uri: redirectUri,
      scope: 'user_info',
      state,
    })
  },
  async profile(signIn, code) {
    const {
      settings: { clientId, clientSecret },
      redirectUri,
      call,
    } = signIn
    const access_token = accessTokenOf(
      await call.json(at(signIn, 'gitee.com', '/oauth/token'), {
        form: {
          grant_type: 'authorization_code',
          client_id: clientId,
          client_secret: clientSecret,
          code,
          redirect_uri: redirectUri,
        },
      }),
    )
    const user = basics(await call.json(at(signIn, 'gitee.com', '/api/v5/user'), { query: { access_token } }), 'id')
    return {
      ...nothingElse,
      uuid: textOrEmpty(user.id),
      username: textOrEmpty(user.login),
      nickname: textOrEmpty(user.name),
      avatar: textOrEmpty(user.avatar_url),
      email: textOrEmpty(user.email),
      blog: textOrEmpty(user.blog),
    }
  },
}

export const wechatSignInProvider: SocialSignInProvider = {
  authorizeUrl(signIn) {
    const {
      settings: { clientId },
      redirectUri,
      state,
    } = signIn
    return urlWithParameters(
      at(signIn, 'open.weixin.qq.com', '/connect/qrconnect'),
      {
        appid: clientId,
        redirect_uri: redirectUri,
        response_type: 'code',
        scope: 'snsapi_login',
        state,
      },
      '#wechat_redirect',
    )
  },
  async profile(signIn, code) {
    const {
      settings: { clientId, clientSecret },
      call,
    } = signIn
    const { access_token, openid } = withoutErrcode(
      await call.json(at(signIn, 'api.weixin.qq.com', '/sns/oauth2/access_token'), {
        query: { appid: clientId, secret: clientSecret, code, grant_type: 'authorization_code' },
      }),
    )
    const answer = await call.json(at(signIn, 'api.weixin.qq.com', '/sns/userinfo'), {
      query: { access_token, openid, lang: 'zh_CN' },
    })
    const user = basics(withoutErrcode(answer), 'openid')
    return {
      ...nothingElse,
      // A person's openid differs per application; the unionid is the same in all.
      uuid: textOrEmpty(user.unionid || user.openid),
      username: textOrEmpty(user.nickname),
      nickname: textOrEmpty(user.nickname),
      avatar: textOrEmpty(user.headimgurl),
      location: [user.country, user.province, user.city].map(textOrEmpty).filter(Boolean).join('-'),
      gender: genderOf(user.sex),
    }
  },
}

export const dingtalkSignInProvider: SocialSignInProvider = {
  authorizeUrl(signIn) {
    const {
      settings: { clientId },
      redirectUri,
      state,
    } = signIn
    return urlWithParameters(at(signIn, 'login.dingtalk.com', '/oauth2/auth'), {
      response_type: 'code',
      client_id: clientId,
      redirect_uri: redirectUri,
      scope: 'openid',
      prompt: 'consent',
      state,
    })
  },
  async profile(signIn, code) {
    const {
      settings: { clientId, clientSecret },
      call,
    } = signIn
    const {
      accessToken,
      code: errorCode,
      message,
    } = await call.json(at(signIn, 'api.dingtalk.com', '/v1.0/oauth2/userAccessToken'), {
      json: { clientId, clientSecret, code, grantType: 'authorization_code' },
    })
    if (!accessToken) throw createSignInDeniedError(errorCode ?? 'no_access_token', message)
    const headers = { 'x-acs-dingtalk-access-token': accessToken }
    const user = basics(
      await call.json(at(signIn, 'api.dingtalk.com', '/v1.0/contact/users/me'), { headers }),
      'unionId',
    )
    return {
      ...nothingElse,
      uuid: textOrEmpty(user.unionId),
      username: textOrEmpty(user.nick),
      nickname: textOrEmpty(user.nick),
      avatar: textOrEmpty(user.avatarUrl),
      email: textOrEmpty(user.email),
    }
  },
}

export const wecomSignInProvider: SocialSignInProvider = {
  authorizeUrl(signIn) {
    const {
      settings: { clientId, agentId = '' },
      redirectUri,
      state,
    } = signIn
    return urlWithParameters(at(signIn, 'login.work.weixin.qq.com', '/wwlogin/sso/login'), {
      login_type: 'CorpApp',
      appid: clientId,
      agentid: agentId,
      redirect_uri: redirectUri,
      state,
    })
  },
  async profile(signIn, code) {
    const {
      settings: { clientId, clientSecret },
      call,
    } = signIn
    const ask = async (path: string, query: Record<string, string>, json?: JsonObject) =>
      withoutErrcode(
        await call.json(at(signIn, 'qyapi.weixin.qq.com', `/cgi-bin${path}`), { query, ...(json && { json }) }),
      )
    const { access_token } = await ask('/gettoken', { corpid: clientId, corpsecret: clientSecret })
    const { userid, user_ticket } = await ask('/auth/getuserinfo', { access_token, code })
    if (!userid) throw createSignInDeniedError('not_a_member', 'Only members of the company may sign in')
    const user = await ask('/user/get', { access_token, userid })
    // Picture, sex and address are given only to applications with that permission.
    const details = user_ticket ? await ask('/auth/getuserdetail', { access_token }, { user_ticket }) : {}
    return {
      ...nothingElse,
      uuid: textOrEmpty(userid),
      username: textOrEmpty(userid),
      nickname: textOrEmpty(user.name ?? userid),
      avatar: textOrEmpty(details.avatar),
      email: textOrEmpty(details.email || details.biz_mail),
      gender: genderOf(details.gender),
    }
  },
}
