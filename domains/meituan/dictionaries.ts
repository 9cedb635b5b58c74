import { defineDict } from '#kit/resource/index.ts'

/** Words of the platform's own numbers (poi, retail and order states). */
export const meituanDictionaries = [
  defineDict({
    code: 'meituan_audit_status',
    label: { zh: '美团入驻状态', en: 'Review at Meituan' },
    entries: [
      { key: '0', zh: '待完善', en: 'Incomplete', colour: 'default' },
      { key: '1', zh: '审核中', en: 'Under review', colour: 'processing' },
      { key: '2', zh: '已驳回', en: 'Refused', colour: 'error' },
      { key: '4', zh: '待提审', en: 'To hand in', colour: 'warning' },
      { key: '5', zh: '审核通过', en: 'Approved', colour: 'success' },
      { key: '7', zh: '暂不合作', en: 'Declined', colour: 'error' },
    ],
  }),
  defineDict({
    code: 'meituan_online_status',
    label: { zh: '美团上线状态', en: 'Online at Meituan' },
    entries: [
      { key: '0', zh: '下线', en: 'Offline', colour: 'default' },
      { key: '1', zh: '上线', en: 'Online', colour: 'success' },
      { key: '2', zh: '上单中', en: 'Being set up', colour: 'processing' },
      { key: '3', zh: '审核通过可上线', en: 'Ready', colour: 'processing' },
    ],
  }),
  defineDict({
    code: 'meituan_open_level',
    label: { zh: '美团营业状态', en: 'Open at Meituan' },
    entries: [
      { key: '1', zh: '营业中', en: 'Open', colour: 'success' },
      { key: '3', zh: '休息中', en: 'Resting', colour: 'warning' },
    ],
  }),
  defineDict({
    code: 'meituan_order_status',
    label: { zh: '美团订单状态', en: 'Meituan order' },
    entries: [
      { key: '1', zh: '已提交', en: 'Placed', colour: 'default' },
      { key: '2', zh: '待接单', en: 'To confirm', colour: 'warning' },
      { key: '4', zh: '已接单', en: 'Confirmed', colour: 'processing' },
      { key: '6', zh: '已配送', en: 'Delivered', colour: 'processing' },
      { key: '8', zh: '已完成', en: 'Done', colour: 'success' },
      { key: '9', zh: '已取消', en: 'Cancelled', colour: 'default' },
    ],
  }),
  defineDict({
    code: 'meituan_sell_status',
    label: { zh: '美团商品状态', en: 'Goods at Meituan' },
    entries: [
      { key: '0', zh: '上架', en: 'On sale', colour: 'success' },
      { key: '1', zh: '下架', en: 'Off sale', colour: 'default' },
    ],
  }),
  defineDict({
    code: 'meituan_goods_audit',
    label: { zh: '美团商品审核', en: 'Review of goods' },
    entries: [
      { key: '0', zh: '无需审核', en: 'Not needed', colour: 'default' },
      { key: '1', zh: '审核中', en: 'Under review', colour: 'processing' },
      { key: '2', zh: '审核通过', en: 'Approved', colour: 'success' },
      { key: '3', zh: '审核驳回', en: 'Refused', colour: 'error' },
      { key: '4', zh: '审核撤销', en: 'Withdrawn', colour: 'default' },
    ],
  }),
  defineDict({
    code: 'meituan_task_status',
    label: { zh: '美团任务状态', en: 'Task at Meituan' },
    entries: [
      { key: '1', zh: '处理中', en: 'Running', colour: 'processing' },
      { key: '2', zh: '已完成', en: 'Done', colour: 'success' },
      { key: '3', zh: '失败', en: 'Failed', colour: 'error' },
    ],
  }),
  defineDict({
    code: 'meituan_attr_type',
    label: { zh: '美团属性类型', en: 'Kind of attribute' },
    entries: [
      { key: '1', zh: '单选', en: 'One of several' },
      { key: '2', zh: '多选', en: 'Several' },
      { key: '3', zh: '文本', en: 'Text' },
    ],
  }),
  defineDict({
    code: 'meituan_token_status',
    label: { zh: '美团授权状态', en: 'Authorisation' },
    entries: [
      { key: '1', zh: '有效', en: 'Valid', colour: 'success' },
      { key: '2', zh: '已过期', en: 'Expired', colour: 'error' },
      { key: '0', zh: '已解绑', en: 'Withdrawn', colour: 'default' },
    ],
  }),
]
