import { MS, number, word, yes, type FaultRule } from '../gateways/fault-rule.ts'

/** The simulated platforms, by the name an order of faults uses. */
export const PLATFORMS = {
  wechatpay: { zh: '微信支付', en: 'WeChat Pay' },
  meituan: { zh: '美团', en: 'Meituan' },
  ele: { zh: '饿了么', en: 'Ele' },
  wechat: { zh: '微信消息', en: 'WeChat messages' },
  dify: { zh: 'AI 平台', en: 'AI platform' },
  wvp: { zh: '视频平台', en: 'Video platform' },
} as const
export type PlatformKind = keyof typeof PLATFORMS

export type PlatformFaults = {
  away?: true
  deaf?: true
  answersLate?: number
  limited?: true
  callbacks?: 'twice' | 'late' | 'shuffled' | 'never'
  refundRefused?: true
  refundAbnormal?: true
  auditRefused?: true
  noStatement?: true
  tokenBad?: true
  notAllowed?: true
  run?: 'cut' | 'nodeFails' | 'unread' | 'hostile' | 'huge' | 'pauses'
  noPicture?: true
  diesAfter?: number
  hevc?: true
  black?: true
  frozen?: true
  wrongClock?: number
}

const ALL = Object.keys(PLATFORMS) as PlatformKind[]
/** Platforms that can answer late or not at all; `wvp` can only hang up. */
const LISTENING = ALL.filter((one) => one !== 'wvp')
const SELLING = ['meituan', 'ele'] as const

/** The faults of platforms. */
export const PLATFORM_RULES: Record<keyof PlatformFaults, FaultRule<PlatformKind>> = {
  away: { ...yes('连不上（请求没有到达）', 'Away: what is asked does not arrive'), of: ALL },
  deaf: { ...yes('做了不回答', 'Does what it is asked and never answers'), of: LISTENING },
  answersLate: { ...number({ zh: '应答慢', en: 'Answers late' }, 60_000, 5_000, MS), of: ALL },
  limited: { ...yes('限流：说请求太多', 'Rate limit: says it is asked too often'), of: LISTENING },
  callbacks: {
    form: 'word',
    label: { zh: '回调', en: 'Callbacks' },
    words: [
      word('twice', '每条发两次', 'Each one twice'),
      word('late', '晚一分钟', 'A minute late'),
      word('shuffled', '乱序，攒二十秒一起发', 'Out of order, together every 20 s'),
      word('never', '不发', 'None'),
    ],
    of: ['wechatpay', ...SELLING],
  },
  refundRefused: { ...yes('拒绝退款：余额不足', 'Refuses refunds: too little money there'), of: ['wechatpay'] },
  refundAbnormal: { ...yes('退款异常：顾客的卡已注销', 'Refunds fail: the card is closed'), of: ['wechatpay'] },
  noStatement: { ...yes('没有对账单', 'No statement of the day'), of: ['wechatpay'] },
  auditRefused: { ...yes('审核一律驳回', 'Refuses whatever it audits'), of: ['wechatpay', ...SELLING] },
  tokenBad: { ...yes('令牌一律无效', 'Takes no token'), of: ['wechat', 'wvp'] },
  notAllowed: { ...yes('顾客拒收', 'Nobody allows to be written to'), of: ['wechat'] },
  run: {
    form: 'word',
    label: { zh: 'AI 运行', en: 'AI runs' },
    words: [
      word('cut', '中途断流', 'The stream breaks off'),
      word('nodeFails', '节点出错', 'A step fails'),
      word('unread', '结果不合约定', 'The result is not as agreed'),
      word('hostile', '结果带脚本', 'The result brings scripts'),
      word('huge', '结果巨大', 'The result is huge'),
      word('pauses', '等人工输入', 'It waits for a person'),
    ],
    of: ['dify'],
  },
  noPicture: { ...yes('点播超时：没有画面', 'Sends no picture'), of: ['wvp'] },
  diesAfter: { ...number({ zh: '画面中断', en: 'A picture dies after' }, 600_000, 5_000, MS), of: ['wvp'] },
  hevc: { ...yes('画面是 H.265', 'Pictures are H.265'), of: ['wvp'] },
  black: { ...yes('画面全黑', 'Pictures are black'), of: ['wvp'] },
  frozen: { ...yes('画面冻结', 'Pictures are frozen'), of: ['wvp'] },
  wrongClock: {
    ...number({ zh: '摄像头的钟快', en: 'Clocks of cameras are ahead' }, 3_600_000, 47_000, MS),
    of: ['wvp'],
  },
}

export const isPlatformFault = (name: string): name is keyof PlatformFaults => Object.hasOwn(PLATFORM_RULES, name)
