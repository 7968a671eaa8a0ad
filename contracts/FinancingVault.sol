// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC4626} from "@openzeppelin/contracts/token/ERC20/extensions/ERC4626.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import {ClaimRegistry} from "./ClaimRegistry.sol";
import {Allocation, Claim, ClaimState, Mandate, Pricing, QuoteReason, Unlocking} from "./Types.sol";
import {VaultRegistry} from "./VaultRegistry.sol";
import {VaultTerms} from "./VaultTerms.sol";

/// @notice Capital in one token that finances claims at a discount. Its owner, the curator, sets mandate and pricing.
/// @dev Assumes a token that moves exactly the amount asked for (no fee on transfer, no rebasing). Only assets that
/// came in by deposit or repayment count: tokens sent here by accident change nothing.
contract FinancingVault is ERC4626, VaultTerms {
    using SafeERC20 for IERC20;
    using SafeCast for uint256;

    /// @notice Seconds in which a gain becomes part of the share price.
    uint256 public constant PROFIT_UNLOCK_PERIOD = 30 days;
    /// @notice Seconds after a due date from which the curator can impair an allocation, to any lower value.
    uint256 public constant CURATOR_GRACE_PERIOD = 30 days;
    /// @notice Seconds after a due date from which anyone can impair an allocation, to zero.
    uint256 public constant PUBLIC_GRACE_PERIOD = 90 days;

    ClaimRegistry public immutable claims;
    address public immutable router;
    VaultRegistry public immutable registry;

    /// @notice Idle assets, base units.
    uint256 public idleAssets;
    /// @notice Face that is due to this vault, in base units.
    uint256 public outstandingFace;
    /// @notice What was paid for `outstandingFace`; the gain is booked when the claim settles.
    uint256 public outstandingAdvance;
    /// @notice Part of `outstandingAdvance` that impairments have written down, in base units.
    uint256 public outstandingImpairment;
    /// @notice Part of an outstanding slice's advance that is written down, in base units.
    mapping(bytes32 claimId => mapping(uint256 sliceIndex => uint256)) public impairmentOf;
    /// @notice The gains that were not part of the share price when the last one was booked.
    Unlocking public unlocking;

    event Funded(
        bytes32 indexed claimId, address indexed recipient, uint8 sliceIndex, uint256 faceAmount, uint256 advanceAmount
    );
    event Repaid(bytes32 indexed claimId, uint8 sliceIndex, uint256 faceAmount, uint256 advanceAmount);
    /// @notice `loss` is the part of the advance that this impairment wrote down, `carryingValue` what remains of it.
    event AllocationImpaired(
        bytes32 indexed claimId,
        uint8 sliceIndex,
        uint256 faceAmount,
        uint256 advanceAmount,
        uint256 loss,
        uint256 carryingValue
    );
    /// @notice A repayment reversed the impairments of its slice, `impairment` in all. Follows `Repaid`.
    event AllocationRecovered(bytes32 indexed claimId, uint8 sliceIndex, uint256 faceAmount, uint256 impairment);
    /// @notice From this block on, `amount` unlocks linearly until the second `until`.
    event ProfitLocked(uint256 amount, uint256 until);

    error OnlyRouter();
    error InsufficientLiquidity(uint256 advanceAmount, uint256 fundableLiquidity);
    error AdvanceMismatch(uint256 advanceAmount, uint256 expected);
    error NotOutstanding(bytes32 claimId, uint256 sliceIndex);
    error ImpairmentTooEarly(bytes32 claimId, uint256 possibleFrom, uint256 timestamp);
    error CarryingValueNotLower(uint256 carryingValue, uint256 current);

    modifier onlyRouter() {
        if (msg.sender != router) revert OnlyRouter();
        _;
    }

    /// @dev The registry creates its vaults, so it is the sender.
    constructor(
        IERC20 token,
        string memory name_,
        string memory symbol_,
        address curator,
        ClaimRegistry claims_,
        address router_,
        Mandate memory mandate_,
        Pricing memory pricing_
    ) ERC20(name_, symbol_) ERC4626(token) VaultTerms(curator, mandate_, pricing_) {
        claims = claims_;
        router = router_;
        registry = VaultRegistry(msg.sender);
    }

    // ---------------------------------------------------------------- financing

    /// @notice The largest sum of advances that this vault can pay now, in base units.
    function fundableLiquidity() external view returns (uint256) {
        return idleAssets;
    }

    /// @notice What this vault would pay now for `faceAmount` of a claim. Does not consider liquidity.
    /// @return acceptable Whether mandate and claim allow it.
    /// @return reason Why not; `NONE` when acceptable.
    /// @return discountAmount Rounded up; zero, as the advance, when the claim is unknown or past due.
    /// @return advanceAmount Face less discount.
    function quote(bytes32 claimId, uint256 faceAmount)
        external
        view
        returns (bool acceptable, QuoteReason reason, uint256 discountAmount, uint256 advanceAmount)
    {
        Claim memory record = claims.claim(claimId);
        reason = _refusal(record, asset(), faceAmount);
        acceptable = reason == QuoteReason.NONE;
        if (record.dueDate > block.timestamp) (discountAmount, advanceAmount) = _price(record, faceAmount);
    }

    /// @notice Pays the advance for a reserved slice.
    function fund(bytes32 claimId, uint8 sliceIndex, address recipient, uint256 faceAmount, uint256 advanceAmount)
        external
        onlyRouter
    {
        (, uint256 expected) = _price(claims.claim(claimId), faceAmount);
        if (advanceAmount != expected) revert AdvanceMismatch(advanceAmount, expected);
        if (advanceAmount > idleAssets) revert InsufficientLiquidity(advanceAmount, idleAssets);

        idleAssets -= advanceAmount;
        outstandingFace += faceAmount;
        outstandingAdvance += advanceAmount;
        emit Funded(claimId, recipient, sliceIndex, faceAmount, advanceAmount);

        IERC20(asset()).safeTransfer(recipient, advanceAmount);
    }

    /// @notice Books the repayment of a slice at its face value.
    /// @dev The router has moved the tokens here in the same call. The amount that was written down of an impaired
    /// slice is a gain too.
    function recordRepayment(bytes32 claimId, uint8 sliceIndex, uint256 faceAmount, uint256 advanceAmount)
        external
        onlyRouter
    {
        idleAssets += faceAmount;
        outstandingFace -= faceAmount;
        outstandingAdvance -= advanceAmount;
        emit Repaid(claimId, sliceIndex, faceAmount, advanceAmount);
        _lockGain(faceAmount - advanceAmount + _reverseImpairment(claimId, sliceIndex, faceAmount));
    }

    // ---------------------------------------------------------------- losses

    /// @notice Writes an overdue slice down to `carryingValue`: the curator to any lower value, later anyone to zero.
    function impair(bytes32 claimId, uint8 sliceIndex, uint256 carryingValue) external {
        bool isCurator = msg.sender == owner();
        if (!isCurator && carryingValue != 0) revert OwnableUnauthorizedAccount(msg.sender);
        (Allocation memory part, uint256 dueDate) = _outstanding(claimId, sliceIndex);
        uint256 possibleFrom = dueDate + (isCurator ? CURATOR_GRACE_PERIOD : PUBLIC_GRACE_PERIOD);
        if (block.timestamp < possibleFrom) revert ImpairmentTooEarly(claimId, possibleFrom, block.timestamp);
        uint256 current = part.advanceAmount - impairmentOf[claimId][sliceIndex];
        if (carryingValue >= current) revert CarryingValueNotLower(carryingValue, current);

        uint256 loss = current - carryingValue;
        impairmentOf[claimId][sliceIndex] += loss;
        outstandingImpairment += loss;
        emit AllocationImpaired(
            claimId, sliceIndex, part.faceAmount, part.advanceAmount, loss, carryingValue
        );
        _absorbLoss(loss);
    }

    // ---------------------------------------------------------------- ERC-4626

    /// @notice Idle assets plus the carrying value of outstanding claims, less the gains that are still locked.
    /// @dev Never negative: a gain is locked when it is booked, shares are redeemed at this value, and a loss consumes
    /// locked gains first.
    function totalAssets() public view override returns (uint256) {
        return _bookValue() - lockedProfit();
    }

    /// @notice Gains that are not part of the share price yet, in base units. While there are no shares, all that is
    /// left here is locked: it belongs to nobody, and no first depositor may buy it at once.
    function lockedProfit() public view returns (uint256) {
        return totalSupply() == 0 ? _bookValue() : _stillLocked();
    }

    /// @notice Zero for an inactive vault.
    function maxDeposit(address) public view override returns (uint256) {
        return registry.isActive(address(this)) ? type(uint256).max : 0;
    }

    /// @notice Zero for an inactive vault.
    function maxMint(address) public view override returns (uint256) {
        return registry.isActive(address(this)) ? type(uint256).max : 0;
    }

    /// @dev Limits `maxWithdraw` too, which OpenZeppelin derives from it.
    function maxRedeem(address owner) public view override returns (uint256) {
        return Math.min(super.maxRedeem(owner), _convertToShares(idleAssets, Math.Rounding.Floor));
    }

    /// @dev Counts the assets only once their shares exist: a token that calls the sender while it moves would
    /// otherwise let it redeem older shares at a price that already contains this deposit.
    function _deposit(address caller, address receiver, uint256 assets, uint256 shares) internal override {
        if (totalSupply() == 0 && _bookValue() > 0) _setUnlocking(_bookValue(), PROFIT_UNLOCK_PERIOD);
        super._deposit(caller, receiver, assets, shares);
        idleAssets += assets;
    }

    function _withdraw(address caller, address receiver, address owner, uint256 assets, uint256 shares)
        internal
        override
    {
        idleAssets -= assets;
        super._withdraw(caller, receiver, owner, assets, shares);
    }

    // ---------------------------------------------------------------- gains and losses

    function _bookValue() private view returns (uint256) {
        return idleAssets + outstandingAdvance - outstandingImpairment;
    }

    /// @dev Rounded up, so that no second unlocks more than its share.
    function _stillLocked() private view returns (uint256) {
        Unlocking memory last = unlocking;
        if (block.timestamp >= last.until) return 0;
        return Math.mulDiv(last.amount, last.until - block.timestamp, last.until - last.since, Math.Rounding.Ceil);
    }

    /// @dev All that is locked unlocks in the mean of the remaining times, weighted by amounts. So never faster than
    /// each gain by itself over the whole period (Cauchy-Schwarz), and a small gain hardly delays a large one. The mean
    /// is rounded down: as no gain has less than the time that remains, gains too small to matter add no second.
    function _lockGain(uint256 gain) private {
        if (gain == 0) return;
        uint256 locked = _stillLocked();
        uint256 remaining = locked == 0 ? 0 : unlocking.until - block.timestamp;
        uint256 duration = (locked * remaining + gain * PROFIT_UNLOCK_PERIOD) / (locked + gain);
        _setUnlocking(locked + gain, duration);
    }

    /// @dev A loss consumes locked gains first, so that who leaves before it is booked avoids less of it.
    function _absorbLoss(uint256 loss) private {
        uint256 locked = _stillLocked();
        if (locked > 0) _setUnlocking(locked - Math.min(locked, loss), unlocking.until - block.timestamp);
    }

    function _setUnlocking(uint256 amount, uint256 duration) private {
        uint256 until = block.timestamp + duration;
        unlocking = Unlocking(amount.toUint160(), block.timestamp.toUint48(), until.toUint48());
        emit ProfitLocked(amount, until);
    }

    function _reverseImpairment(bytes32 claimId, uint8 sliceIndex, uint256 faceAmount)
        private
        returns (uint256 impairment)
    {
        impairment = impairmentOf[claimId][sliceIndex];
        if (impairment == 0) return 0;
        delete impairmentOf[claimId][sliceIndex];
        outstandingImpairment -= impairment;
        emit AllocationRecovered(claimId, sliceIndex, faceAmount, impairment);
    }

    /// @dev The slice, if this vault financed it and its claim is still to be paid.
    function _outstanding(bytes32 claimId, uint8 sliceIndex)
        private
        view
        returns (Allocation memory part, uint256 dueDate)
    {
        Claim memory record = claims.claim(claimId);
        Allocation[] memory parts = claims.allocations(claimId);
        bool isFinanced = record.state == ClaimState.PARTIALLY_FUNDED || record.state == ClaimState.FULLY_FUNDED;
        if (!isFinanced || sliceIndex >= parts.length) revert NotOutstanding(claimId, sliceIndex);
        part = parts[sliceIndex];
        if (part.vault != address(this)) revert NotOutstanding(claimId, sliceIndex);
        dueDate = record.dueDate;
    }
}
