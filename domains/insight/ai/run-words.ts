import { defineSystemText } from '#kit/server/base/system-words.ts'

/** Texts for why a run ended; the platform's own message is appended. */
export const aiRunEndingTexts = {
  budget: defineSystemText({ zh: '本月 AI 预算已用完', en: 'The AI budget for this month is used up' }),
  noApp: defineSystemText({ zh: '没有启用的 AI 应用', en: 'No active AI app' }),
  noPicture: defineSystemText({ zh: '没有可用的画面', en: 'No image available' }),
  gone: defineSystemText({ zh: '任务已不存在', en: 'The task no longer exists' }),
  key: defineSystemText({ zh: 'AI 平台不接受密钥', en: 'The AI platform rejected the key' }),
  busy: defineSystemText({ zh: 'AI 平台繁忙，多次重试未成', en: 'The AI platform is busy. Several retries failed.' }),
  away: defineSystemText({ zh: '连不上 AI 平台', en: 'The AI platform cannot be reached' }),
  lost: defineSystemText({
    zh: '与 AI 平台的连接中断，无法确认运行结果',
    en: 'The connection to the AI platform was lost. The result is unknown.',
  }),
  late: defineSystemText({ zh: '运行超时，已停止', en: 'The run timed out and was stopped' }),
  paused: defineSystemText({
    zh: '工作流等待人工输入，已停止',
    en: 'The workflow was waiting for manual input and was stopped',
  }),
  tooLong: defineSystemText({ zh: 'AI 平台的回答过长', en: 'The response of the AI platform was too long' }),
  malformed: defineSystemText({ zh: 'AI 平台的回答无法识别', en: 'The response of the AI platform could not be read' }),
  broke: defineSystemText({ zh: '系统内部错误', en: 'Internal error' }),
  unread: defineSystemText({
    zh: '结果不符合约定，已保留原文',
    en: 'The result does not match the expected format. The original text is kept.',
  }),
} as const
export type AiRunEnding = keyof typeof aiRunEndingTexts
