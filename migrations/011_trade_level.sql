-- The trade level that an app has chosen for its session; null is the default.
alter table session add column trade_level text check (trade_level in ('FullTradingAndChat', 'OrdersOnly'));
