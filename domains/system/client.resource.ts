import { defineResource, f } from '#kit/resource/index.ts'

export const client = defineResource({
  name: 'client', path: '/api/blade-system/client', table: 'sys_client', tenancy: 'platform',
  label: { zh: '应用客户端', en: 'Client' },
  menu: { under: 'system', path: '/system/client', icon: 'api', sort: 10 },
  fields: {
    clientId: f.text({ label: { zh: '客户端编号', en: 'Client id' }, required: true, max: 48, search: 'like', pattern: '^[A-Za-z0-9_.-]+$', sample: 'client' }),
    clientSecret: f.text({ label: { zh: '客户端密钥', en: 'Client secret' }, required: true, max: 256 }),
    authorizedGrantTypes: f.dicts('grant_type', { label: { zh: '授权类型', en: 'Grant types' }, required: true }),
    scope: f.text({ label: { zh: '授权范围', en: 'Scope' }, max: 255, default: 'all' }),
    resourceIds: f.text({ label: { zh: '资源集合', en: 'Resource ids' }, max: 256 }),
    webServerRedirectUri: f.longText({ label: { zh: '回调地址', en: 'Redirect addresses' }, max: 2000, rows: 2 }),
    authorities: f.text({ label: { zh: '权限', en: 'Authorities' }, max: 256 }),
    accessTokenValidity: f.number({ label: { zh: '令牌秒数', en: 'Token lifetime' }, required: true, min: 60, max: 2_592_000, default: 3600, unit: { zh: '秒', en: 's' } }),
    refreshTokenValidity: f.number({ label: { zh: '刷新令牌秒数', en: 'Refresh token lifetime' }, required: true, min: 60, max: 31_536_000, default: 604_800, unit: { zh: '秒', en: 's' } }),
    additionalInformation: f.longText({ label: { zh: '附加说明', en: 'Additional information' }, max: 4096, rows: 3 }),
    autoapprove: f.text({ label: { zh: '自动授权', en: 'Auto approve' }, max: 256 }),
  },
  title: 'clientId',
  list: { columns: ['clientId', 'clientSecret', 'authorizedGrantTypes', 'scope', 'accessTokenValidity', 'refreshTokenValidity', 'createTime'] },
  unique: [['clientId']],
})
