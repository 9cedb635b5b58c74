import { defineDict } from '#kit/resource/index.ts'

export const deviceDictionaries = [
  defineDict({
    code: 'register_pic_position',
    label: { zh: '画面位置', en: 'Place of a picture' },
    entries: [
      { key: 'idle', zh: '待机轮播', en: 'While idle' },
      { key: 'paying', zh: '支付页', en: 'While paying' },
      { key: 'done', zh: '完成页', en: 'When done' },
      { key: 'logo', zh: '标志', en: 'Logo' },
    ],
  }),
  defineDict({
    code: 'version_status',
    label: { zh: '版本状态', en: 'State of a version' },
    entries: [
      { key: '0', zh: '草稿', en: 'Draft', colour: 'default' },
      { key: '1', zh: '已发布', en: 'Published', colour: 'success' },
      { key: '2', zh: '已撤回', en: 'Withdrawn', colour: 'error' },
    ],
  }),
]
