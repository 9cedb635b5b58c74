import { defineParam } from '#kit/resource/index.ts'

export const REGISTER_USER = defineParam({ key: 'account.registerUser', value: 'true', label: { zh: '是否开启注册功能', en: 'People may register' }, help: { zh: 'true 开启，false 关闭', en: 'true: they may, false: they may not' } })
export const INIT_PASSWORD = defineParam({ key: 'account.initPassword', value: '123456', label: { zh: '账号初始密码', en: 'First password of an account' }, help: { zh: '新增账号和重置密码时使用', en: 'Of new accounts, and after a reset' } })
export const FAIL_COUNT = defineParam({ key: 'account.failCount', value: '5', number: { min: 1, max: 1000 }, label: { zh: '登录失败锁定次数', en: 'Failed sign-ins until locked' }, help: { zh: '半小时内失败达到此数即锁定', en: 'Within half an hour' } })

export const identityParams = [REGISTER_USER, INIT_PASSWORD, FAIL_COUNT]
