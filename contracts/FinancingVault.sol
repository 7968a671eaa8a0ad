// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC4626} from "@openzeppelin/contracts/token/ERC20/extensions/ERC4626.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {ClaimRegistry} from "./ClaimRegistry.sol";
import {PricingMath} from "./PricingMath.sol";
import {BPS_DENOMINATOR, Claim, ClaimState, MAX_PREMIUMS, Mandate, Pricing, QuoteReason} from "./Types.sol";

/// @notice Capital in one token that finances claims at a discount. Its owner, the curator, sets mandate and pricing.
/// @dev Assumes a token that moves exactly the amount asked for (no fee on transfer, no rebasing). Only assets that
/// came in by deposit or repayment count: tokens sent here by accident change nothing.
contract FinancingVault is ERC4626, Ownable {
    using SafeERC20 for IERC20;

    ClaimRegistry public immutable claims;
    address public immutable router;

    /// @notice Idle assets, base units.
    uint256 public idleAssets;
    /// @notice Face that is due to this vault, in base units.
    uint256 public outstandingFace;
    /// @notice What was paid for `outstandingFace`; the gain is booked when the claim settles.
    uint256 public outstandingAdvance;

    Mandate private _mandate;
    Pricing private _pricing;

    event MandateChanged(Mandate mandate);
    event PricingChanged(Pricing pricing);
    event Funded(
        bytes32 indexed claimId, address indexed recipient, uint8 sliceIndex, uint256 faceAmount, uint256 advanceAmount
    );
    event Repaid(bytes32 indexed claimId, uint8 sliceIndex, uint256 faceAmount, uint256 advanceAmount);

    error OnlyRouter();
    error InvalidMandate();
    error InvalidPricing(uint256 highestBps);
    error TooManyPremiums(uint256 count);
    error InsufficientLiquidity(uint256 advanceAmount, uint256 fundableLiquidity);
    error AdvanceMismatch(uint256 advanceAmount, uint256 expected);

    modifier onlyRouter() {
        if (msg.sender != router) revert OnlyRouter();
        _;
    }

    constructor(
        IERC20 token,
        string memory name_,
        string memory symbol_,
        address curator,
        ClaimRegistry claims_,
        address router_,
        Mandate memory mandate_,
        Pricing memory pricing_
    ) ERC20(name_, symbol_) ERC4626(token) Ownable(curator) {
        claims = claims_;
        router = router_;
        _checkTerms(mandate_, pricing_);
        _mandate = mandate_;
        _pricing = pricing_;
    }

    // ---------------------------------------------------------------- terms

    function setMandate(Mandate calldata next) external onlyOwner {
        _checkTerms(next, _pricing);
        _mandate = next;
        emit MandateChanged(next);
    }

    function setPricing(Pricing calldata next) external onlyOwner {
        _checkTerms(_mandate, next);
        _pricing = next;
        emit PricingChanged(next);
    }

    function mandate() external view returns (Mandate memory) {
        return _mandate;
    }

    function pricing() external view returns (Pricing memory) {
        return _pricing;
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
        reason = _refusal(record, faceAmount);
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
    /// @dev The router moves the tokens here in the same call, after this.
    function recordRepayment(bytes32 claimId, uint8 sliceIndex, uint256 faceAmount, uint256 advanceAmount)
        external
        onlyRouter
    {
        idleAssets += faceAmount;
        outstandingFace -= faceAmount;
        outstandingAdvance -= advanceAmount;
        emit Repaid(claimId, sliceIndex, faceAmount, advanceAmount);
    }

    // ---------------------------------------------------------------- ERC-4626

    /// @notice Idle assets plus the advances of outstanding claims, at cost.
    /// @dev The gain of a claim belongs to those who hold shares when it settles, however long they have held them.
    function totalAssets() public view override returns (uint256) {
        return idleAssets + outstandingAdvance;
    }

    /// @dev Limits `maxWithdraw` too, which OpenZeppelin derives from it.
    function maxRedeem(address owner) public view override returns (uint256) {
        return Math.min(super.maxRedeem(owner), _convertToShares(idleAssets, Math.Rounding.Floor));
    }

    /// @dev Counts the assets only once their shares exist: a token that calls the sender while it moves would
    /// otherwise let it redeem older shares at a price that already contains this deposit.
    function _deposit(address caller, address receiver, uint256 assets, uint256 shares) internal override {
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

    // ---------------------------------------------------------------- internals

    function _refusal(Claim memory record, uint256 faceAmount) private view returns (QuoteReason) {
        if (record.state != ClaimState.ELIGIBLE && record.state != ClaimState.PARTIALLY_FUNDED) {
            return QuoteReason.CLAIM_NOT_FINANCEABLE;
        }
        if (record.dueDate <= block.timestamp) return QuoteReason.CLAIM_PAST_DUE;
        if (record.token != asset()) return QuoteReason.TOKEN_MISMATCH;
        if ((_mandate.supportedTypesBitmap >> record.claimType) & 1 == 0) return QuoteReason.TYPE_NOT_SUPPORTED;
        if (PricingMath.daysToDueRoundedDown(record.dueDate, block.timestamp) > _mandate.maxDurationDays) {
            return QuoteReason.DURATION_EXCEEDED;
        }
        if (faceAmount < _mandate.minFace) return QuoteReason.BELOW_MINIMUM_LOT;
        if (faceAmount > _mandate.maxFace) return QuoteReason.ABOVE_MAXIMUM_LOT;
        if (faceAmount > record.faceValue - record.financedFaceValue) return QuoteReason.FACE_EXCEEDS_REMAINING;
        return QuoteReason.NONE;
    }

    /// @dev A discount can exceed the face only beyond the mandate's duration, where nothing is financed anyway.
    function _price(Claim memory record, uint256 faceAmount)
        private
        view
        returns (uint256 discountAmount, uint256 advanceAmount)
    {
        uint256 daysToDue = PricingMath.daysToDueRoundedDown(record.dueDate, block.timestamp);
        uint256 bps = Math.min(PricingMath.totalBps(_pricing, record.claimType, daysToDue), BPS_DENOMINATOR);
        discountAmount = PricingMath.discountRoundedUp(faceAmount, bps);
        advanceAmount = faceAmount - discountAmount;
    }

    /// @dev Whatever the mandate allows must cost less than its face.
    function _checkTerms(Mandate memory mandate_, Pricing memory pricing_) private pure {
        if (mandate_.minFace == 0 || mandate_.maxFace < mandate_.minFace) revert InvalidMandate();
        // A premium for every possible type is enough; a longer list would only make each quote more expensive.
        if (pricing_.premiumBps.length > MAX_PREMIUMS) revert TooManyPremiums(pricing_.premiumBps.length);
        uint256 highestPremium;
        for (uint256 i; i < pricing_.premiumBps.length; ++i) {
            highestPremium = Math.max(highestPremium, pricing_.premiumBps[i]);
        }
        uint256 highestBps = uint256(pricing_.baseDiscountBps)
            + uint256(pricing_.durationBpsPerDay) * mandate_.maxDurationDays + highestPremium;
        if (highestBps >= BPS_DENOMINATOR) revert InvalidPricing(highestBps);
    }
}
