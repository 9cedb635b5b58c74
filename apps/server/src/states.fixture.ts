/** Statements that write a declared state without a move, by file and resource, with the reason. Only shrinks. */
export const STATES_LEFT: Record<string, string> = {
  'domains/sales/marketing/coupons.ts customerTicket':
    'expiring takes parts and passes over what a sale holds; a revoked gift stays used until its order is refunded',
  'domains/sales/marketing/quote.ts customerTicket': 'each released coupon goes where its own end and revocation say',
  'domains/money/reconciliation/save-mismatches.ts tallyDifference':
    'an upsert of what a comparison found, which keeps what was decided while kind and worth are the same',
  'domains/shops/incidents/case-triggers.ts guardCase': 'a trigger, so that no cause of a case is missed',
}

const MIRROR = 'what a platform, a maker or a device said last: any state may follow any'
const SWITCH = 'a switch people set'
const DIRTY = 'set again whenever the row changes on either side'
const SENDING = 'how far an outside call is'
const FOLLOWS = 'follows the row it belongs to'
const ENGINE = 'decided by the process engine, whose own state it copies'
const TAGS = 'written with the pictures of hundreds of labels in one statement'
const BY_HAND = 'written where it changes'

/** Fields that hold a state but are not declared as one, with the reason. Only shrinks. */
export const UNDECLARED_STATES: Record<string, string> = {
  'aiTask.lastStatus': MIRROR,
  'aiTaskLog.status': SENDING,
  'announcementLog.state': SENDING,
  'audioConf.state': SENDING,
  'camera.state': MIRROR,
  'cashRegister.screenState': MIRROR,
  'cashRegister.status': SWITCH,
  'datasource.testState': MIRROR,
  'deviceCommand.state': SENDING,
  'deviceLink.state': MIRROR,
  'eleAptitude.syncStatus': DIRTY,
  'eleGoodType.syncStatus': DIRTY,
  'eleOrder.returnState': SENDING,
  'eleOrder.status': MIRROR,
  'eleOrder.syncStatus': DIRTY,
  'eleShopInfo.businessStatus': MIRROR,
  'eleShopInfo.syncStatus': DIRTY,
  'eleShopInfo.sysStatus': MIRROR,
  'eleSkuInfo.status': MIRROR,
  'eleSkuInfo.syncStatus': DIRTY,
  'eleSync.state': SENDING,
  'flowChange.state': BY_HAND,
  'flowInstance.suspensionState': SWITCH,
  'flowProcess.suspensionState': SWITCH,
  'flowTask.state': ENGINE,
  'meituanAptitude.syncStatus': DIRTY,
  'meituanGoodType.syncStatus': DIRTY,
  'meituanGoodsAuditStatus.auditStatus': MIRROR,
  'meituanOrder.status': MIRROR,
  'meituanOrder.syncStatus': DIRTY,
  'meituanShopInfo.auditStatus': MIRROR,
  'meituanShopInfo.syncStatus': DIRTY,
  'meituanSkuInfo.status': MIRROR,
  'meituanSkuInfo.syncStatus': DIRTY,
  'meituanTask.status': SENDING,
  'meituanTokenInfo.status': MIRROR,
  'merchantInfo.status': SWITCH,
  'payAttempt.backState': SENDING,
  'paymentRefund.state': SENDING,
  'platformAsk.state': SENDING,
  'priceTag.status': TAGS,
  'printJob.state': SENDING,
  'printerInfo.status': MIRROR,
  'reportSent.state': SENDING,
  'shareLog.status': SENDING,
  'shopMarkting.status': FOLLOWS,
  'smsRecord.state': SENDING,
  'supplierInfo.status': SWITCH,
  'tagAccount.state': MIRROR,
  'tenantRemoval.state': BY_HAND,
  'thirdApi.status': MIRROR,
  'user.status': SWITCH,
  'wechatApp.programState': MIRROR,
  'wechatMessage.state': SENDING,
}
