import { defineSystemParam } from '#kit/resource/index.ts'

/** URL of an external report tool. Without it designs are stored, but no button opens the tool. */
export const REPORT_TOOL_URL_PARAM = defineSystemParam({
  key: 'report.url',
  value: '',
  label: { zh: '报表工具地址', en: 'Report tool URL' },
  help: {
    zh: '如 https://report.example.com/ureport；不填则不显示预览和设计',
    en: 'For example, https://report.example.com/ureport. Leave blank to hide preview and design.',
  },
})
