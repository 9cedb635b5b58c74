import { defineDict } from '#kit/resource/index.ts'
import { TAG_SIZE_NAMES } from './tag-templates.ts'

export const tagDictionaries = [
  defineDict({
    code: 'price_tag_status',
    label: { zh: '价签状态', en: 'ESL tag status' },
    entries: [
      { key: '0', zh: '未绑定', en: 'Not linked', colour: 'default' },
      { key: '1', zh: '已同步', en: 'Synced', colour: 'success' },
      { key: '2', zh: '待更新', en: 'Update pending', colour: 'warning' },
      { key: '3', zh: '更新失败', en: 'Update failed', colour: 'error' },
      { key: '4', zh: '更新中', en: 'Updating', colour: 'processing' },
      { key: '5', zh: '失联', en: 'Unreachable', colour: 'error' },
    ],
  }),
  defineDict({
    code: 'price_tag_template',
    label: { zh: '价签模板', en: 'ESL template' },
    entries: [
      { key: 'standard', zh: '标准', en: 'Standard' },
      { key: 'member', zh: '会员价', en: 'Member price' },
      { key: 'promotion', zh: '促销', en: 'Promotion' },
      { key: 'fresh', zh: '生鲜', en: 'Fresh food' },
    ],
  }),
  defineDict({
    code: 'tag_model',
    label: { zh: '价签尺寸', en: 'ESL tag size' },
    entries: TAG_SIZE_NAMES.map((key) => ({ key, zh: `${key} 寸`, en: `${key} inch` })),
  }),
  defineDict({
    code: 'tag_maker',
    label: { zh: '价签接入方式', en: 'ESL connection type' },
    entries: [
      { key: 'openEPaperLink', zh: 'OpenEPaperLink 基站', en: 'OpenEPaperLink access point' },
      { key: 'cloudEsl', zh: '价签云平台', en: 'ESL cloud platform' },
    ],
  }),
  defineDict({
    code: 'tag_account_state',
    label: { zh: '接入状态', en: 'Connection status' },
    entries: [
      { key: 'unknown', zh: '未连接', en: 'Not connected', colour: 'default' },
      { key: 'well', zh: '正常', en: 'Connected', colour: 'success' },
      { key: 'away', zh: '无应答', en: 'Not responding', colour: 'warning' },
      { key: 'busy', zh: '忙，稍后再试', en: 'Busy, retrying later', colour: 'processing' },
      { key: 'refused', zh: '凭证被拒', en: 'Credentials rejected', colour: 'error' },
    ],
  }),
  defineDict({
    code: 'price_tag_action',
    label: { zh: '价签动作', en: 'ESL action' },
    entries: [
      { key: 'bind', zh: '绑定', en: 'Linked' },
      { key: 'unbind', zh: '解绑', en: 'Unlinked' },
      { key: 'push', zh: '更新', en: 'Update sent' },
      { key: 'ack', zh: '已显示', en: 'Shown' },
      { key: 'fail', zh: '未显示', en: 'Not shown' },
    ],
  }),
  defineDict({
    code: 'price_tag_result',
    label: { zh: '价签结果', en: 'ESL result' },
    entries: [
      { key: 'ok', zh: '成功', en: 'Succeeded', colour: 'success' },
      { key: 'failed', zh: '失败', en: 'Failed', colour: 'error' },
      { key: 'timeout', zh: '超时', en: 'Timed out', colour: 'error' },
    ],
  }),
]

export const PRICE_TAG_STATE = { unbound: 0, synced: 1, waiting: 2, failed: 3, sent: 4, lost: 5 } as const
