/** The fixed set of icons menus, actions and pages choose from. The build makes one sprite of them. */
export const iconNames = [
  'account-book', 'alert', 'alipay-circle', 'api', 'apartment', 'appstore', 'area-chart', 'arrow-down', 'arrow-left',
  'arrow-right', 'arrow-up', 'audio', 'audit', 'bank', 'bar-chart', 'barcode', 'bars', 'bell', 'bg-colors', 'block',
  'book', 'branches', 'bug', 'build', 'bulb', 'calculator', 'calendar', 'camera', 'car', 'caret-down', 'caret-right',
  'carry-out', 'check', 'check-circle', 'clear', 'clock-circle', 'close', 'close-circle', 'cloud', 'cloud-download',
  'cloud-server', 'cloud-upload', 'cluster', 'code', 'coffee', 'comment', 'compress', 'console-sql', 'contacts',
  'container', 'control', 'copy', 'credit-card', 'crown', 'customer-service', 'dashboard', 'database', 'delete',
  'deployment-unit', 'desktop', 'dingding', 'disconnect', 'dollar', 'double-left', 'double-right', 'down', 'download',
  'drag', 'edit', 'ellipsis', 'environment', 'exclamation-circle', 'experiment', 'export', 'eye', 'eye-invisible',
  'file', 'file-done', 'file-excel', 'file-protect', 'file-search', 'file-text', 'filter', 'flag', 'folder',
  'folder-open', 'form', 'frown', 'fullscreen', 'fullscreen-exit', 'fund', 'gateway', 'gift', 'github', 'gitlab',
  'global', 'gold', 'google', 'hdd', 'heart', 'history', 'home', 'hourglass', 'idcard', 'import', 'inbox',
  'info-circle', 'insurance', 'interaction', 'key', 'laptop', 'layout', 'left', 'like', 'line-chart', 'link', 'loading',
  'lock', 'login', 'logout', 'mail', 'menu', 'menu-fold', 'menu-unfold', 'message', 'minus', 'mobile',
  'money-collect', 'monitor', 'moon', 'more', 'node-index', 'notification', 'number', 'ordered-list', 'paper-clip',
  'partition', 'pause-circle', 'pay-circle', 'percentage', 'phone', 'picture', 'pie-chart', 'play-circle', 'plus',
  'plus-circle', 'pound', 'poweroff', 'printer', 'product', 'profile', 'project', 'pushpin', 'qq', 'qrcode',
  'question-circle', 'read', 'reconciliation', 'red-envelope', 'redo', 'reload', 'rest', 'right', 'rise', 'robot',
  'rocket', 'rollback', 'safety', 'safety-certificate', 'save', 'scan', 'schedule', 'search', 'security-scan', 'select',
  'send', 'setting', 'share-alt', 'shop', 'shopping', 'shopping-cart', 'skin', 'sliders', 'smile', 'snippets',
  'solution', 'sort-ascending', 'sound', 'star', 'stock', 'stop', 'sun', 'swap', 'switcher', 'sync', 'table', 'tablet',
  'tag', 'tags', 'team', 'thunderbolt', 'tool', 'transaction', 'translation', 'trophy', 'truck', 'undo', 'unlock',
  'unordered-list', 'up', 'upload', 'usb', 'user', 'user-add', 'user-delete', 'user-switch', 'usergroup-add',
  'verified', 'video-camera', 'wallet', 'warning', 'wechat', 'wechat-work', 'weibo', 'wifi', 'zoom-in', 'zoom-out',
] as const

export type IconName = (typeof iconNames)[number]
