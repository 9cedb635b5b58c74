import { ResourcePage } from '#kit/web/page/resource-page.tsx'
import { refundLimit } from './refund-limit.resource.ts'

const intro = {
  zh: '每个角色单笔最多能审核多少退款；没有设置的角色按 200 元，租户管理员不限',
  en:
    'Maximum refund each role can approve. Roles without a limit can approve up to ¥200. Tenant ' +
    'administrators have no limit.',
}

export default function RefundLimitPage() {
  return <ResourcePage resource={refundLimit} page={{ intro }} />
}
