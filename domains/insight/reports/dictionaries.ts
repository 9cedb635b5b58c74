import { defineDict } from '#kit/resource/index.ts'

export const reportDictionaries = [
  defineDict({
    code: 'report_paper',
    label: { zh: '报表纸张', en: 'Report paper size' },
    entries: [
      { key: 'portrait', zh: 'A4 纵向', en: 'A4 portrait' },
      { key: 'landscape', zh: 'A4 横向', en: 'A4 landscape' },
    ],
  }),
  defineDict({
    code: 'report_send',
    label: { zh: '定时内容', en: 'Schedule content' },
    entries: [
      { key: 'workbook', zh: '表格', en: 'Workbook' },
      { key: 'page', zh: '页面', en: 'Page' },
      { key: 'alarm', zh: '提醒', en: 'Alert' },
    ],
  }),
  defineDict({
    code: 'report_sent',
    label: { zh: '报表发送结果', en: 'Delivery result' },
    entries: [
      { key: 'asked', zh: '待发送', en: 'Queued', colour: 'warning' },
      { key: 'making', zh: '生成中', en: 'Generating', colour: 'processing' },
      { key: 'sent', zh: '已发送', en: 'Sent', colour: 'success' },
      { key: 'quiet', zh: '未达到提醒条件', en: 'Alert condition not met', colour: 'default' },
      { key: 'dropped', zh: '未发送', en: 'Not sent', colour: 'error' },
    ],
  }),
]
