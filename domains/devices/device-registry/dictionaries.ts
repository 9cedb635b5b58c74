import { defineDict } from '#kit/resource/index.ts'

export const deviceDictionaries = [
  defineDict({
    code: 'register_pic_position',
    label: { zh: '画面位置', en: 'Display position' },
    entries: [
      { key: 'idle', zh: '待机轮播', en: 'Idle loop' },
      { key: 'paying', zh: '支付页', en: 'Payment screen' },
      { key: 'done', zh: '完成页', en: 'Completion screen' },
      { key: 'logo', zh: '标志', en: 'Logo' },
    ],
  }),
  defineDict({
    code: 'version_status',
    label: { zh: '版本状态', en: 'Version status' },
    entries: [
      { key: '0', zh: '草稿', en: 'Draft', colour: 'default' },
      { key: '1', zh: '已发布', en: 'Published', colour: 'success' },
      { key: '2', zh: '已撤回', en: 'Unpublished', colour: 'error' },
    ],
  }),
]
