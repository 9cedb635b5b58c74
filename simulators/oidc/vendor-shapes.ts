import type { Grants } from './grants.ts'
import { simulatedClient } from './exchange.ts'
import type { Exchange, Reply, Route } from './exchange.ts'
import { people } from './people.ts'

const isSecret = (secret: string | undefined) => secret === simulatedClient.clientSecret

type Redeem = (exchange: Exchange, clientId: string | undefined, verifier?: string) => ReturnType<Grants['redeem']>

/** Returns the server-to-server calls of GitHub, Gitee, WeChat, DingTalk and WeCom, with the error format of each. */
export function vendorShapes(grants: Grants): Record<string, Route> {
  const redeem: Redeem = ({ values, failure }, clientId, verifier) =>
    failure === 'invalid_grant'
      ? undefined
      : grants.redeem({ code: values.code ?? '', clientId: clientId ?? '', redirectUri: values.redirect_uri, verifier })

  return {
    ...githubShapes(grants, redeem),
    ...giteeShapes(grants, redeem),
    ...wechatShapes(grants, redeem),
    ...dingtalkShapes(grants, redeem),
    ...wecomShapes(grants, redeem),
  }
}

function githubShapes(grants: Grants, redeem: Redeem): Record<string, Route> {
  const bearer = ({ headers }: Exchange) => grants.who(headers.authorization?.replace(/^(token|bearer) /i, '') ?? '')

  return {
    '/github.com/login/oauth/access_token': (exchange) => {
      const { values } = exchange
      // GitHub answers errors with status 200.
      if (!isSecret(values.client_secret))
        return {
          body: {
            error: 'incorrect_client_credentials',
            error_description: 'The client_id and/or client_secret passed are incorrect.',
          },
        }
      const grant = redeem(exchange, values.client_id, values.code_verifier)
      if (!grant)
        return {
          body: { error: 'bad_verification_code', error_description: 'The code passed is incorrect or expired.' },
        }
      return { body: { access_token: grants.access(grant), token_type: 'bearer', scope: 'read:user,user:email' } }
    },
    '/api.github.com/user': (exchange) => {
      const person = bearer(exchange)
      if (!exchange.headers['user-agent'])
        return { status: 403, body: { message: 'Request forbidden by administrative rules.' } }
      if (!person) return { status: 401, body: { message: 'Bad credentials' } }
      const { id, login, name, avatar, website, company, city } = person
      return {
        body: {
          id: Number(id),
          login,
          name,
          avatar_url: avatar,
          email: null,
          blog: website,
          company,
          location: city,
          bio: null,
        },
      }
    },
    '/api.github.com/user/emails': (exchange) => {
      const person = bearer(exchange)
      if (!person) return { status: 401, body: { message: 'Bad credentials' } }
      const emails = [{ email: 'noreply@example.com', primary: false, verified: true }]
      return { body: person.email ? [...emails, { email: person.email, primary: true, verified: true }] : emails }
    },
  }
}

const giteeShapes = (grants: Grants, redeem: Redeem): Record<string, Route> => ({
  '/gitee.com/oauth/token': (exchange) => {
    const { values } = exchange
    if (!isSecret(values.client_secret))
      return { status: 401, body: { error: 'invalid_client', error_description: '客户端身份验证失败' } }
    const grant = redeem(exchange, values.client_id)
    if (!grant)
      return {
        status: 401,
        body: { error: 'invalid_grant', error_description: '授权方式无效，或者登录回调地址无效、过期或已被撤销' },
      }
    return {
      body: { access_token: grants.access(grant), token_type: 'bearer', expires_in: 86_400, scope: 'user_info' },
    }
  },
  '/gitee.com/api/v5/user': ({ values, headers }) => {
    const person = grants.who(values.access_token ?? '')
    if (!headers['user-agent']) return { status: 403, body: { message: '403 Forbidden' } }
    if (!person) return { status: 401, body: { message: '401 Unauthorized: Access token does not exist' } }
    return {
      body: {
        id: Number(person.id),
        login: person.login,
        name: person.name,
        avatar_url: person.avatar,
        email: person.email || null,
        blog: person.website,
      },
    }
  },
})

const wechatShapes = (grants: Grants, redeem: Redeem): Record<string, Route> => ({
  '/api.weixin.qq.com/sns/oauth2/access_token': (exchange) => {
    const { values } = exchange
    if (!isSecret(values.secret)) return errcode(40125, 'invalid appsecret')
    const grant = redeem(exchange, values.appid)
    if (!grant) return errcode(40029, 'invalid code')
    return {
      body: {
        access_token: grants.access(grant),
        expires_in: 7200,
        refresh_token: 'r',
        openid: `o-${grant.person.id}`,
        scope: 'snsapi_login',
        unionid: `u-${grant.person.id}`,
      },
    }
  },
  '/api.weixin.qq.com/sns/userinfo': ({ values }) => {
    const person = grants.who(values.access_token ?? '')
    if (!person || values.openid !== `o-${person.id}`) return errcode(40003, 'invalid openid')
    return {
      body: {
        openid: `o-${person.id}`,
        unionid: `u-${person.id}`,
        nickname: person.name,
        sex: person.sex === 'male' ? 1 : 2,
        country: '中国',
        province: '',
        city: person.city,
        headimgurl: person.avatar,
        privilege: [],
      },
    }
  },
})

const dingtalkShapes = (grants: Grants, redeem: Redeem): Record<string, Route> => ({
  '/api.dingtalk.com/v1.0/oauth2/userAccessToken': (exchange) => {
    const { values } = exchange
    if (!isSecret(values.clientSecret))
      return dingtalkError('invalidClientIdOrSecret', '无效的clientId或者clientSecret')
    const grant = redeem(exchange, values.clientId)
    if (!grant) return dingtalkError('invalidParameter.authCode.notFound', '不存在的authCode')
    return {
      body: { accessToken: grants.access(grant), refreshToken: 'r', expireIn: 7200, corpId: 'ding-simulated' },
    }
  },
  '/api.dingtalk.com/v1.0/contact/users/me': ({ headers }) => {
    const person = grants.who(String(headers['x-acs-dingtalk-access-token'] ?? ''))
    if (!person) return dingtalkError('InvalidAuthentication', '不合法的access_token')
    return {
      body: {
        nick: person.name,
        unionId: `du-${person.id}`,
        openId: `do-${person.id}`,
        avatarUrl: person.avatar,
        email: person.email,
        stateCode: '86',
      },
    }
  },
})

function wecomShapes(grants: Grants, redeem: Redeem): Record<string, Route> {
  const company = { ...people[0]!, id: 'company' }
  const tickets = new Map<string, string>()
  const isCompany = (token: string | undefined) => grants.who(token ?? '')?.id === 'company'
  const at = (path: string) => `/qyapi.weixin.qq.com/cgi-bin${path}`

  return {
    [at('/gettoken')]: ({ values }) =>
      isSecret(values.corpsecret)
        ? ok({ access_token: grants.access({ person: company, clientId: simulatedClient.clientId }), expires_in: 7200 })
        : errcode(40001, 'invalid credential'),
    [at('/auth/getuserinfo')]: (exchange) => {
      if (!isCompany(exchange.values.access_token)) return errcode(40014, 'invalid access_token')
      const grant = redeem(exchange, simulatedClient.clientId)
      if (!grant) return errcode(40029, 'invalid code')
      // Somebody outside the company has an openid and no userid.
      if (grant.person.login === 'guest') return ok({ openid: `wo-${grant.person.id}` })
      const user_ticket = `ticket-${grant.person.id}`
      tickets.set(user_ticket, grant.person.login)
      return ok({ userid: grant.person.login, user_ticket })
    },
    [at('/user/get')]: ({ values }) => {
      if (!isCompany(values.access_token)) return errcode(40014, 'invalid access_token')
      const person = people.find((one) => one.login === values.userid)
      return person
        ? ok({ userid: person.login, name: person.name, department: [1], status: 1 })
        : errcode(60111, 'userid not found')
    },
    [at('/auth/getuserdetail')]: ({ values }) => {
      if (!isCompany(values.access_token)) return errcode(40014, 'invalid access_token')
      const person = people.find((one) => one.login === tickets.get(values.user_ticket ?? ''))
      if (!person) return errcode(84014, 'invalid user_ticket')
      return ok({
        userid: person.login,
        gender: person.sex === 'male' ? '1' : '2',
        avatar: person.avatar,
        email: person.email,
        biz_mail: '',
      })
    },
  }
}

const errcode = (code: number, errmsg: string): Reply => ({ body: { errcode: code, errmsg } })
const ok = (body: object): Reply => ({ body: { errcode: 0, errmsg: 'ok', ...body } })
const dingtalkError = (code: string, message: string): Reply => ({
  status: 400,
  body: { code, message, requestid: 'simulated' },
})
