import { defineSystemText } from '#kit/server/base/system-words.ts'
import { WECHAT_MESSAGE_STATE, type WechatMessageState } from './wechat-message.resource.ts'

type Reason = { state: Extract<WechatMessageState, 'refused' | 'failed'>; words: string }
const refused = (zh: string, en: string): Reason => ({
  state: WECHAT_MESSAGE_STATE.refused,
  words: defineSystemText({ zh, en }),
})
const failed = (zh: string, en: string): Reason => ({
  state: WECHAT_MESSAGE_STATE.failed,
  words: defineSystemText({ zh, en }),
})

/** Final state and text shown to users by WeChat's `errcode` (reference, section 4). */
const REASONS: Record<string, Reason> = {
  '43101': refused(
    '对方没有授权，或授权次数已用完，请对方在小程序里重新允许',
    'The recipient has not authorized this or has used up the authorization. Ask them to allow it ' +
      'again in the mini program.',
  ),
  '43004': refused('对方没有关注公众号', 'The recipient does not follow the official account'),
  '40003': refused(
    '微信 OpenID 不属于这个应用，请重新绑定',
    'The OpenID does not belong to this app. Link the WeChat again.',
  ),
  '40037': failed('模板编号不存在或已被停用', 'The template does not exist or was deactivated'),
  '41030': failed('小程序页面路径不存在', 'The mini program page does not exist'),
  '47003': failed('模板字段与微信后台不一致', 'The template fields do not match the WeChat back office'),
  '45009': failed('今日发送额度已用完', "Today's quota is used up"),
  '48001': failed('应用没有发送这类消息的权限', 'The app is not authorized to send this type of message'),
  '40013': failed('AppID 不正确', 'The AppID is wrong'),
  '40125': failed('AppSecret 不正确', 'The AppSecret is wrong'),
  '40164': failed('服务器地址不在微信的 IP 白名单里', 'The server address is not on the IP allowlist at WeChat'),
}
const OTHERS = failed('微信拒绝发送', 'WeChat rejected the message')

export const wechatFailureReason = (code: string): Reason => REASONS[code] ?? OTHERS

export const WECHAT_BUSY_TEXT = defineSystemText({
  zh: '微信繁忙或限流，稍后再发',
  en: 'WeChat is busy or rate-limited. Retried later.',
})
export const WECHAT_UNCONFIRMED_TEXT = defineSystemText({
  zh: '微信没有应答，可能已送达；不重复发送',
  en: 'WeChat did not respond. The message may have been delivered and is not sent again.',
})
export const WECHAT_UNREACHABLE_TEXT = defineSystemText({
  zh: '连接不上微信，稍后再发',
  en: 'WeChat cannot be reached. Retried later.',
})
export const WECHAT_APP_MISSING_TEXT = defineSystemText({
  zh: '微信应用已停用或删除',
  en: 'The WeChat app was deactivated or deleted',
})
